package cmd_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// previewed returns a workspace for commands that a person must allow.
func previewed(t *testing.T) string {
	t.Helper()
	dir := cmdtest.Commands(t)
	if s := native.Probe(sandbox.Cache{}); !s.Namespaces {
		t.Skip("no namespaces: ", s.Reason)
	}
	setup := exec.Command("sh", "-ec", `mkdir -p src/sub/deep && echo 'package a' > src/a.go && printf '\000\001' > src/bin && chmod 600 src/bin &&
ln -s a.go src/link && ln -s /nowhere src/dangling && echo x > src/sub/deep/x && chmod 711 src/sub && echo keep > keep && chmod 755 keep`)
	setup.Dir = dir
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	return dir
}

// everything returns the entries of a directory with modes, bytes and targets of
// links.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			text += cmdtest.Content(t, name)
		case info.Mode()&fs.ModeSymlink != 0:
			text, err = os.Readlink(name)
		}
		all[strings.TrimPrefix(name, dir)] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// waits makes a call that waits for a person, and returns its id and preview.
func waits(t *testing.T, dir, command string) (id, preview string) {
	t.Helper()
	a := commandIn(t, dir, command)
	approval, ok := a.Error.Details["approval"].(map[string]any)
	if !ok {
		t.Fatalf("%+v", a)
	}
	return approval["id"].(string), approval["preview"].(string)
}

func commandIn(t *testing.T, dir, line string) cmdtest.Answer {
	t.Helper()
	return cmdtest.Exec(t, dir, map[string]any{"command": line})
}

// TestRemovalIsShownAllowedAndUndone follows a destructive command from its
// preview to its undo.
func TestRemovalIsShownAllowedAndUndone(t *testing.T) {
	t.Parallel()
	dir := previewed(t)
	before := everything(t, dir)
	id, preview := waits(t, dir, "rm -rf src")
	for _, want := range []string{"delete  src/ (7 entries", "a.go", "sub/deep/x", "dangling"} {
		if !strings.Contains(preview, want) {
			t.Errorf("%q is not in %s", want, preview)
		}
	}
	if d := cmp.Diff(before, everything(t, dir)); d != "" {
		t.Fatalf("asking changed something: %s", d)
	}
	if again, _ := waits(t, dir, "rm -rf src"); again != id {
		t.Errorf("asked twice: %s and %s", id, again)
	}
	a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id))
	if !a.OK || a.Data["undo_id"] == nil || a.Data["exit_code"] != 0.0 {
		t.Fatalf("%+v", a)
	}
	if _, err := os.Lstat(filepath.Join(dir, "src")); err == nil {
		t.Error("src is still there")
	}
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id)); a.Error.Code != "approval_invalid" {
		t.Errorf("a second time: %+v", a)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo")); !a.OK {
		t.Fatalf("%+v", a)
	}
	if d := cmp.Diff(before, everything(t, dir)); d != "" {
		t.Errorf("undone: %s", d)
	}
}

// TestPreviewSaysHowItEnds asks about commands that fail or change nothing: the
// preview says so in one line, in the language of the call.
func TestPreviewSaysHowItEnds(t *testing.T) {
	t.Parallel()
	dir := previewed(t)
	for _, c := range []struct{ lang, line, want string }{
		{"en", "rm -f nosuch", "\nrun on a copy, it changes nothing in the workspace\n"},
		{"zh", "rm -f nosuch2", "\n在副本上运行，它不改动工作区\n"},
		{"en", "rm nosuch", "\nrun on a copy, it ends with exit code 1 and changes nothing in the workspace\n"},
		{"zh", "rm nosuch2", "\n在副本上运行，结束状态为退出码 1，不改动工作区\n"},
		{"en", "rm keep; exit 2", "\nrun on a copy, it ends with exit code 2 and makes these changes:\ndelete  keep (5 bytes)\n"},
		{"en", "rm keep; kill -9 $$", "\nrun on a copy, it ends with signal SIGKILL and makes these changes:\ndelete  keep (5 bytes)\n"},
	} {
		cmdtest.Setenv(dir, "HELVE_LANG="+c.lang)
		if _, preview := waits(t, dir, c.line); !strings.HasSuffix(preview, c.want) {
			t.Errorf("%s: %s", c.line, preview)
		}
	}
}

// TestRepositoryComesBack removes, with approval, files that no tool may change,
// and restores them.
func TestRepositoryComesBack(t *testing.T) {
	t.Parallel()
	dir := previewed(t)
	if err := os.MkdirAll(filepath.Join(dir, ".git/hooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, dir, ".git/hooks/pre-commit", "hook\n")
	cmdtest.Put(t, dir, ".git/config", "[core]\n")
	before := everything(t, dir)
	id, preview := waits(t, dir, "rm -rf .git")
	if !strings.Contains(preview, "delete  .git/ (3 entries") {
		t.Error(preview)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id)); !a.OK || a.Data["undo_id"] == nil {
		t.Fatalf("%+v", a)
	}
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		t.Error(".git is still there")
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo")); !a.OK {
		t.Fatalf("%+v", a)
	}
	if d := cmp.Diff(before, everything(t, dir)); d != "" {
		t.Error(d)
	}
}

// TestAllowedIsWhatWasShown: a command that does something else at each run does
// what the person saw.
func TestAllowedIsWhatWasShown(t *testing.T) {
	t.Parallel()
	dir := previewed(t)
	id, preview := waits(t, dir, "head -c 12 /dev/urandom | base64 > number; echo said; rm -r src/sub")
	a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id))
	if !a.OK || a.Data["output"] != "said\n" {
		t.Fatalf("%+v", a)
	}
	if number := cmdtest.Content(t, filepath.Join(dir, "number")); !strings.Contains(preview, "+"+number) {
		t.Errorf("%q is not in %s", number, preview)
	}
}

func TestShownGoesStale(t *testing.T) {
	t.Parallel()
	dir := previewed(t)
	// A file that the command line does not name is not pinned.
	id, _ := waits(t, dir, `for f in k*p; do echo more >> "$f"; done; rm -rf src/sub`)
	cmdtest.Put(t, dir, "keep", "changed by others\n")
	before := everything(t, dir)
	if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id)); a.Error.Code != "approval_stale" || exit != 3 {
		t.Errorf("exit %d, %+v", exit, a)
	}
	if d := cmp.Diff(before, everything(t, dir)); d != "" {
		t.Error(d)
	}
}

// TestPreviewOnly: a preview changes nothing, whatever the command is.
func TestPreviewOnly(t *testing.T) {
	t.Parallel()
	dir := previewed(t)
	before := everything(t, dir)
	a := cmdtest.Exec(t, dir, map[string]any{"command": "rm -rf src; echo more >> keep; chmod 600 keep; ln -s keep link", "preview": true})
	want := []any{
		map[string]any{"path": "keep", "action": "modify", "mode": "0600", "diff": "--- a/keep\n+++ b/keep\n@@ -1 +1,2 @@\n keep\n+more\n"},
		map[string]any{"path": "link", "action": "create", "target": "keep"},
		map[string]any{"path": "src", "action": "delete", "entries": 7.0, "inside": []any{"a.go", "bin", "dangling", "link", "sub/", "sub/deep/", "sub/deep/x"}},
	}
	if d := cmp.Diff(want, a.Data["changes"]); d != "" || a.Data["risk"] != "destructive" {
		t.Errorf("%s %+v", d, a)
	}
	if d := cmp.Diff(before, everything(t, dir)); d != "" {
		t.Error(d)
	}
	left, err := filepath.Glob(filepath.Join(cmdtest.HomeOf(dir), "state/*/previews/*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
	if a := cmdtest.Exec(t, dir, map[string]any{"command": "curl https://example.com", "preview": true}); a.OK {
		t.Errorf("%+v", a)
	}
}

// TestPreviewIsCutOff asks about a command that does not end: the question comes all the
// same, with what it did so far, and its answer runs it anew.
func TestPreviewIsCutOff(t *testing.T) {
	t.Parallel()
	dir := previewed(t)
	id, preview := waits(t, dir, "rm -rf src; sleep 300")
	for _, want := range []string{"made these changes so far:\n", "delete  src/", "it runs again: the preview was cut off after 3 seconds"} {
		if !strings.Contains(preview, want) {
			t.Errorf("%q is not in %s", want, preview)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "src", "a.go")); err != nil {
		t.Error(err)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "deny", id)); !a.OK {
		t.Errorf("%+v", a)
	}
}
