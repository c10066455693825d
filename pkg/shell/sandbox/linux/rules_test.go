//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestHoles grants what lies around secrets and withheld directories.
func TestHoles(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lay(t, dir, "a/", "a/s/", "a/s/x=x", "a/t/", "a/ss=x", "b/", "z/", "z/x=x", "home/", "home/me/", "home/me/doc=x", "home/me/bin/", "home/me/.ssh/", "home/me/.ssh/id=x", "home/me/.ssh/known=x", "home/other=x")
	in := func(name string) string { return filepath.Join(dir, name) }
	p := sandbox.Profile{
		Filesystem: sandbox.ReadOnly, Network: sandbox.NoNetwork, Workspace: in("b"), Secrets: []string{in("a/s"), in("z"), in("home/me/.ssh")},
		Withheld: []string{in("home/me")}, Readable: []string{in("home/me/bin"), in("home/me/.ssh/known"), in("home/me/none")},
	}
	granted := landlockRules(p, in("home/me/doc"))
	rules := granted.rules
	if granted.left > 0 {
		t.Fatal("incomplete")
	}
	got := map[string]uint64{}
	for _, r := range rules {
		if name, ok := strings.CutPrefix(r.Path, dir+"/"); ok {
			got[name] |= r.Rights
		}
	}
	want := map[string]uint64{
		"a": rightsList, "a/t": rightsRead, "a/ss": rightsRead, "b": rightsRead, "home/other": rightsRead,
		"home/me/bin": rightsRead, "home/me/.ssh/known": rightsRead, "home/me/doc": rightsRead,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if slices.ContainsFunc(rules, func(r rule) bool { return r.Path == "/" || r.Path == filepath.Dir(dir) }) {
		t.Error("the names in a withheld directory can be listed")
	}
	p.Withheld = nil
	rules = landlockRules(p, "/bin/sh").rules
	if !slices.Contains(rules, rule{Path: "/", Rights: rightsList}) {
		t.Error("the root cannot be listed")
	}
}

// TestRules has the rights of a profile for paths around a secret. The last rule that
// holds a path adds to those before.
func TestRules(t *testing.T) {
	p := workspaceIn(t, t.TempDir())
	dir := filepath.Dir(p.Workspace)
	p.Secrets = []string{filepath.Join(dir, "secret")}
	lay(t, dir, "link->outside", "sub/", "sub/f=x")
	for _, filesystem := range []sandbox.Filesystem{sandbox.Workspace, sandbox.ReadOnly} {
		p.Filesystem = filesystem
		rules := landlockRules(p, "/bin/sh").rules
		rights := func(path string) (all uint64) {
			for _, r := range rules {
				if r.Path == path {
					all |= uint64(r.Rights)
				}
			}
			return all
		}
		writable := uint64(0)
		if filesystem == sandbox.Workspace {
			writable = rightsWrite
		}
		for path, want := range map[string]uint64{
			dir: rightsList, "/": rightsList, filepath.Join(dir, "sub"): rightsRead, filepath.Join(dir, "outside"): rightsRead, filepath.Join(dir, "sub/f"): 0,
			filepath.Join(dir, "secret"): 0, filepath.Join(dir, "link"): 0, p.Workspace: rightsRead | writable, "/dev/shm": writable, p.Temp: rightsRead | rightsWrite,
			"/dev": rightsList, "/dev/null": rightsDevice, "/dev/pts": rightsDevices, "/dev/sda": 0,
		} {
			if got := rights(path); got != want {
				t.Errorf("%s, %s: %b, want %b", filesystem, path, got, want)
			}
		}
		for _, r := range rules {
			if file := filepath.Join(dir, "outside"); r.Path == file && !r.File || r.Path == filepath.Join(dir, "sub") && r.File {
				t.Errorf("%+v", r)
			}
		}
	}
	p.Temp, p.Secrets, p.Closed, p.Readable = "", nil, true, []string{filepath.Join(dir, "sub"), filepath.Join(dir, "outside"), filepath.Join(dir, "none")}
	rules := landlockRules(p, "/bin/sh").rules
	for path, want := range map[string]bool{
		"": false, "/usr": true, "/etc": true, "/": false, "/home": false, dir: false, filepath.Join(dir, "sub"): true, filepath.Join(dir, "outside"): true, filepath.Join(dir, "none"): false,
	} {
		if got := slices.ContainsFunc(rules, func(r rule) bool { return r.Path == path && r.Rights&rightsRead == rightsRead }); got != want {
			t.Errorf("closed: %s is readable: %t", path, got)
		}
	}
}

// TestRealPaths resolves few paths in a directory and many, for which it is listed.
func TestRealPaths(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lay(t, dir, "f=x", "link->f", "dangling->none", "d/", "d/g=x")
	for _, more := range []int{0, 20} {
		paths := []string{"f", "none", "link", "dangling", "d/g", "none/x"}
		for i := range more {
			paths = append(paths, "missing"+strconv.Itoa(i), "nowhere/"+strconv.Itoa(i))
		}
		for i := range paths {
			paths[i] = filepath.Join(dir, paths[i])
		}
		var got []string
		for _, path := range realPaths(paths) {
			got = append(got, strings.TrimPrefix(path, dir+"/"))
		}
		if d := cmp.Diff([]string{"f", "f", "d/g"}, got); d != "" {
			t.Errorf("with %d more: %s", more, d)
		}
	}
}

// TestEntries lists a directory without its links.
func TestEntries(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, "f=x", "link->f", "d/", "..x=x", ".y/")
	got, err := entriesOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(a, b dirEntry) int { return strings.Compare(a.name, b.name) })
	if want := []dirEntry{{"..x", true}, {".y", false}, {"d", false}, {"f", true}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if _, err := entriesOf(filepath.Join(dir, "f")); err == nil {
		t.Error("a file was listed")
	}
	for name, want := range map[string]bool{"link": true, "f": false, "d": false, "none": true} {
		if isLink(filepath.Join(dir, name)) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

// TestClosedDirectories has what a closed sandbox shows of the root, and what it
// replaces.
func TestClosedDirectories(t *testing.T) {
	shown, others, err := topDirectories()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range shown {
		if !systemDirectory(strings.TrimPrefix(dir, "/")) || slices.Contains(others, dir) {
			t.Errorf("%s is shown", dir)
		}
	}
	for _, dir := range append(slices.Clone(shown), others...) {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			t.Errorf("%s is no directory: %v", dir, err)
		}
	}
	if !slices.Contains(shown, "/usr") || !slices.Contains(others, "/tmp") {
		t.Errorf("%q, %q", shown, others)
	}
	closed, err := closedDirectories([]string{"/tmp"})
	if err != nil || slices.Contains(closed, "/tmp") || len(closed) != len(others)-1 {
		t.Errorf("%q, %v", closed, err)
	}
}

// TestUnreachable has what this user can read or go through, or could if it wanted.
func TestUnreachable(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, "0:shut=x", "400:read=x", "100:go/", "0:closed/")
	for _, name := range []string{"shut", "read", "go", "closed", "none"} { // whose mode its owner can change
		if unreachable(filepath.Join(dir, name)) {
			t.Errorf("%s is unreachable", name)
		}
	}
	if os.Geteuid() == 0 {
		return
	}
	theirs := func(path string) bool {
		f, err := os.Open(path)
		if err == nil {
			f.Close()
		}
		return errors.Is(err, fs.ErrPermission)
	}
	for _, path := range []string{"/etc/shadow", "/etc/sudoers.d", "/etc", "/etc/passwd", "/root"} {
		want := theirs(path)
		if entries, err := os.ReadDir(path); err == nil && len(entries) > 0 {
			want = !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !theirs(filepath.Join(path, e.Name())) })
		}
		if got := unreachable(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}
