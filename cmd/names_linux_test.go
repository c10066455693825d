package cmd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/workspace"
)

// TestNamesOfAnyBytes takes files with names that are not UTF-8, and one whose name
// looks like the escape of another, through every tool that takes paths.
func TestNamesOfAnyBytes(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"policy":{"undoable":"allow"}}`)
	if err := os.Mkdir(filepath.Join(dir, "d\xfe"), 0o755); err != nil {
		t.Skip("names are text in this file system")
	}
	raw := []string{"d\xfe/a\xff.txt", "a\xff.txt", `a\xff.txt`}
	for _, name := range raw {
		cmdtest.Put(t, dir, name, "needle of "+strings.ToValidUTF8(name, "?")+"\n")
	}
	content := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	do := func(tool string, args map[string]any) map[string]any {
		t.Helper()
		input, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		a := inProcess(t, "--root", dir, tool, string(input))
		if !a.OK {
			t.Errorf("%s %s: %+v", tool, input, a.Error)
		}
		return a.Data
	}
	paths := func(list any) (all []string) {
		items, _ := list.([]any)
		for _, item := range items {
			all = append(all, workspace.Unescape(item.(map[string]any)["path"].(string)))
		}
		slices.Sort(all)
		return all
	}
	files := slices.Sorted(slices.Values(raw))
	if got := paths(do("grep", map[string]any{"pattern": "needle"})["files"]); !slices.Equal(got, files) {
		t.Errorf("grep found %q", got)
	}
	if got := paths(do("find", map[string]any{"glob": "*.txt", "type": "file"})["matches"]); !slices.Equal(got, files) {
		t.Errorf("find found %q", got)
	}
	if got := paths(do("ls", map[string]any{"depth": 2})["entries"]); !slices.Equal(got, slices.Sorted(slices.Values(append(raw, "d\xfe")))) {
		t.Errorf("ls listed %q", got)
	}
	if got := paths(do("grep", map[string]any{"pattern": "needle", "path": `d\xfe`})["files"]); !slices.Equal(got, raw[:1]) {
		t.Errorf("grep below found %q", got)
	}
	for glob, want := range map[string][]string{
		`a\xff.txt`:            raw[:2],
		`d\xfe/a\xff.txt`:      raw[:1],
		`d\xf?/*`:              nil,
		`d\xfe/**`:             raw[:1],
		`*\xff.{txt,md}`:       raw[:2],
		`a\x5cxff.txt`:         raw[2:],
		`a\\xff.txt`:           raw[2:],
		`*.txt !a\xff.txt`:     raw[2:],
		`d\xfe/a\xff.txt *.md`: raw[:1],
	} {
		if got := paths(do("grep", map[string]any{"pattern": "needle", "glob": glob})["files"]); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("grep in %s found %q", glob, got)
		}
	}
	if got := paths(do("find", map[string]any{"glob": `a\xff.txt`})["matches"]); !slices.Equal(got, slices.Sorted(slices.Values(raw[:2]))) {
		t.Errorf("find found %q", got)
	}
	for _, name := range raw {
		before, shown := content(name), workspace.Escape(name)
		if got := do("read", map[string]any{"path": shown})["content"]; got != before {
			t.Errorf("read %s: %q", shown, got)
		}
		do("edit", map[string]any{"path": shown, "old_text": "needle", "new_text": "thread"})
		if content(name) != strings.Replace(before, "needle", "thread", 1) {
			t.Errorf("edit %s: %q", shown, content(name))
		}
		do("undo", map[string]any{})
		do("write", map[string]any{"path": shown, "content": "over\n"})
		if content(name) != "over\n" {
			t.Errorf("write %s: %q", shown, content(name))
		}
		do("undo", map[string]any{"path": shown})
		do("move", map[string]any{"from": shown, "to": `n\xe9/` + filepath.Base(shown)})
		if moved := "n\xe9/" + filepath.Base(name); content(moved) != before {
			t.Errorf("move %s", shown)
		}
		do("undo", map[string]any{})
		do("delete", map[string]any{"path": shown})
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("delete %s", shown)
		}
		do("undo", map[string]any{})
		if content(name) != before {
			t.Errorf("%s after undo: %q", shown, content(name))
		}
		// The diff that a result shows is one that git applies, and so does patch.
		diff, _ := do("edit", map[string]any{"path": shown, "old_text": "needle", "new_text": "pin", "dry_run": true})["diff"].(string)
		git(t, dir, diff, "apply", "-")
		if content(name) != strings.Replace(before, "needle", "pin", 1) {
			t.Errorf("git apply of\n%s", diff)
		}
		git(t, dir, diff, "apply", "-R", "-")
		do("patch", map[string]any{"patch": diff})
		if content(name) != strings.Replace(before, "needle", "pin", 1) {
			t.Errorf("patch with\n%s", diff)
		}
		do("undo", map[string]any{})
	}
	// The bytes themselves, as a shell passes them.
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "read", "a\xff.txt")); a.Data["path"] != `a\xff.txt` {
		t.Errorf("%+v", a)
	}
}

// git runs git in a directory that need not be a repository.
func git(t *testing.T, dir, stdin string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	c := exec.Command("git", args...)
	c.Dir, c.Stdin = dir, strings.NewReader(stdin)
	c.Env = append(c.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("git %v: %v\n%s", args, err, out)
	}
}

// TestCommandsOnAnyNames: what a command does to such names is reported, and undone.
func TestCommandsOnAnyNames(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	if err := os.Mkdir(filepath.Join(dir, "d\xfe"), 0o755); err != nil {
		t.Skip("names are text in this file system")
	}
	cmdtest.Put(t, dir, "d\xfe/old\xff", "old\n")
	a := cmdtest.Exec(t, dir, map[string]any{"cwd": `d\xfe`, "command": `echo new > $'new\xe9'; echo more >> $'old\xff'; echo x > 'lit\xff'`})
	want := map[string]string{`d\xfe/new\xe9`: "create", `d\xfe/old\xff`: "modify", `d\xfe/lit\x5cxff`: "create"}
	changes, _ := a.Data["changes"].([]any)
	for _, one := range changes {
		c := one.(map[string]any)
		if path := c["path"].(string); want[path] != c["action"] {
			t.Errorf("%v", c)
		} else {
			delete(want, path)
		}
	}
	if !a.OK || len(want) > 0 {
		t.Errorf("%+v; not reported: %v", a, want)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo")); !a.OK {
		t.Errorf("%+v", a)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "d\xfe"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "old\xff" {
		t.Errorf("after undo: %v, %v", entries, err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "d\xfe/old\xff")); err != nil || string(b) != "old\n" {
		t.Errorf("%q, %v", b, err)
	}
}
