package gitindex

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
)

// git runs git in a directory, without settings of the person.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1")
	out, err := c.Output()
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return string(out)
}

func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for i, name := range []string{"a", "a-b", "a.d/x", "a.d/y z", "b/c/d/long name that pads", "\xff", "ü", "run.sh"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.Repeat("x", i)), 0o644); err != nil {
			if name == "\xff" {
				continue // not every file system takes it
			}
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", ".")
	return dir
}

// listing is what git ls-files -s -z and git ls-files --debug say, in our words.
func listing(t *testing.T, x *Index) (staged string, debug map[string]string) {
	t.Helper()
	var b strings.Builder
	debug = map[string]string{}
	for _, e := range x.Entries {
		fmt.Fprintf(&b, "%06o %s %d\t%s\x00", e.Mode, e.OID, e.Stage, e.Path)
		debug[e.Path] = fmt.Sprintf("ctime: %d:%d mtime: %d:%d dev: %d ino: %d size: %d",
			e.Changed/1e9, e.Changed%1e9, e.Modified/1e9, e.Modified%1e9, e.Device, e.Inode, e.Size)
	}
	return b.String(), debug
}

func TestAgainstGit(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		t.Run(version, func(t *testing.T) {
			dir := repository(t)
			if version == "3" {
				// An entry with extended flags makes git write version 3.
				git(t, dir, "update-index", "--skip-worktree", "a")
			} else {
				git(t, dir, "update-index", "--index-version", version)
			}
			data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
			if err != nil {
				t.Fatal(err)
			}
			if data[7] != version[0]-'0' {
				t.Fatalf("git wrote version %d", data[7])
			}
			x, err := Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			staged, debug := listing(t, x)
			if want := git(t, dir, "ls-files", "-s", "-z"); staged != want {
				t.Errorf("%q instead of %q", staged, want)
			}
			// git quotes here, so only plain names are compared.
			for name, ours := range debug {
				if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
					continue
				}
				out := git(t, dir, "ls-files", "--debug", "--", name)
				_, theirs, _ := strings.Cut(out, "\n")
				fields := strings.Join(strings.Fields(strings.NewReplacer("uid: ", "\x00", "gid: ", "\x00", "flags: ", "\x00").Replace(theirs)), " ")
				if want := ours; !sameDebug(fields, want) {
					t.Errorf("%s: %s instead of %s", name, want, fields)
				}
			}
			// Every other path, and what is not there, in order and not.
			c := x.Cursor()
			for _, path := range []string{"", "a", "a", "a.d", "a.d/y z", "b/c/d/l", "zzz", "a", "a.d/y z", "zzz"} {
				want, ok := x.Find(path)
				if got, found := c.Find(path); got != want || found != ok {
					t.Errorf("%q: %v %v, want %v %v", path, got, found, want, ok)
				}
			}
			for i := range x.Entries {
				want, ok := x.Find(x.Entries[i].Path)
				if got, found := c.Find(x.Entries[i].Path); got != want || found != ok {
					t.Errorf("%q: %v %v, want %v %v", x.Entries[i].Path, got, found, want, ok)
				}
			}
			if e, ok := x.Find("a.d/y z"); !ok || e.Size != 3 {
				t.Errorf("%+v %v", e, ok)
			}
			if e, ok := x.Find("a"); !ok || e.Absent != (version == "3") {
				t.Errorf("%+v %v", e, ok)
			}
			if _, ok := x.Find("a.d"); ok || !x.Below("a.d") || !x.Below("b/c") || x.Below("a-b") || x.Below("b/c/d/l") {
				t.Error("directories")
			}
		})
	}
}

// sameDebug compares our line with that of git, which has more fields.
func sameDebug(theirs, ours string) bool {
	for _, field := range strings.SplitAfter(ours, " ") {
		if !strings.Contains(theirs, strings.TrimSpace(field)) {
			return false
		}
	}
	return true
}

func TestConflictAndSplit(t *testing.T) {
	dir := repository(t)
	git(t, dir, "commit", "-qm", "1")
	git(t, dir, "checkout", "-qb", "other")
	change := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "a"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "commit", "-qam", text)
	}
	change("theirs")
	git(t, dir, "checkout", "-q", "main")
	change("ours")
	c := exec.Command("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "merge", "other")
	c.Dir = dir
	if err := c.Run(); err == nil {
		t.Fatal("no conflict")
	}
	data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	x, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if staged, _ := listing(t, x); staged != git(t, dir, "ls-files", "-s", "-z") {
		t.Errorf("%q", staged)
	}
	if _, ok := x.Find("a"); ok {
		t.Error("a file in conflict has one content")
	}
	git(t, dir, "reset", "-q", "--hard")
	git(t, dir, "update-index", "--split-index")
	if data, err = os.ReadFile(filepath.Join(dir, ".git", "index")); err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(data); !errors.Is(err, ErrSplit) {
		t.Errorf("%v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00" + strings.Repeat("x", 20)))
	entry := bytes.Repeat([]byte{1}, 60)
	f.Add(append(append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), entry...), append([]byte("\x00\x01a\x00\x00\x00\x00\x00\x00\x00\x00\x00"), entry[:20]...)...))
	f.Add(append(append([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"), entry...), append([]byte("\x00\x01\x00a\x00"), entry[:20]...)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := Parse(data)
		if err != nil {
			return
		}
		c := x.Cursor()
		for i, e := range x.Entries {
			want, _ := x.Find(e.Path)
			if got, _ := c.Find(e.Path); got != want {
				t.Errorf("%q: %v, want %v", e.Path, got, want)
			}
			if e.Path == "" || len(data) < fixedLen*i {
				t.Errorf("%+v", e)
			}
			if e.Stage == 0 {
				if found, ok := x.Find(e.Path); ok && found.Path != e.Path {
					t.Errorf("%q found as %q", e.Path, found.Path)
				}
			}
		}
	})
}

// TestMeaning has git renew an index and change it.
func TestMeaning(t *testing.T) {
	dir := repository(t)
	look := func() (data, meaning string) {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
		if err != nil {
			t.Fatal(err)
		}
		x, err := Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw), x.Meaning()
	}
	data, meaning := look()
	past := time.Unix(1_000_000_000, 0)
	if err := os.Chtimes(filepath.Join(dir, "a"), past, past); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "update-index", "-q", "--refresh")
	if now, same := look(); now == data || same != meaning {
		t.Errorf("other times: the same bytes %t, %s and %s", now == data, meaning, same)
	}
	seen := map[string]string{meaning: "what was"}
	for _, args := range [][]string{
		{"update-index", "--chmod=+x", "a"}, {"update-index", "--assume-unchanged", "a"}, {"update-index", "--skip-worktree", "a.d/y z"},
		{"rm", "-q", "--cached", "a"}, {"add", "-N", "a"}, {"add", "a"},
	} {
		git(t, dir, args...)
		_, now := look()
		if before, known := seen[now]; known {
			t.Errorf("%s: as %s", args, before)
		}
		seen[now] = strings.Join(args, " ")
	}
}
