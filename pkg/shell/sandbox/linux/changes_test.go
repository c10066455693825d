//go:build linux && (amd64 || arm64)

package linux

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// lay makes files, links and directories: NAME=TEXT, NAME->TARGET and NAME/, each with
// a mode in octal before it if that follows a colon, as in "600:NAME=TEXT".
func lay(t *testing.T, dir string, entries ...string) {
	t.Helper()
	for _, e := range entries {
		mode := fs.FileMode(0o644)
		if before, after, ok := strings.Cut(e, ":"); ok {
			e, mode = after, 0
			for _, digit := range before {
				mode = mode<<3 | fs.FileMode(digit-'0')
			}
		}
		name, text, isFile := strings.Cut(e, "=")
		link, target, isLink := strings.Cut(e, "->")
		var err error
		switch {
		case isLink:
			err = os.Symlink(target, filepath.Join(dir, link))
		case isFile:
			write(t, filepath.Join(dir, name), text)
			err = os.Chmod(filepath.Join(dir, name), mode)
		default:
			if mode == 0o644 {
				mode = 0o755
			}
			if err = os.Mkdir(filepath.Join(dir, e), mode); err == nil {
				err = os.Chmod(filepath.Join(dir, e), mode)
			}
		}
		if err != nil {
			t.Fatal(e, err)
		}
	}
}

// TestDifferences compares what lies in an upper layer with what was there before.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		name         string
		lower, upper []string
		want         string // OP PATH TARGET, in order
	}{
		{"new", nil, []string{"f=x", "l->f", "d/", "d/g=y"}, "create d, create d/g, create f, create l f"},
		{"the same", []string{"f=x", "l->f", "d/"}, []string{"f=x", "l->f", "d/"}, ""},
		{"other text", []string{"f=x"}, []string{"f=y"}, "modify f"},
		{"more text", []string{"f=x"}, []string{"f=xy"}, "modify f"},
		{"text in an empty file", []string{"f="}, []string{"f=x"}, "modify f"},
		{"empty files", []string{"f="}, []string{"f="}, ""},
		{"long files", []string{"f=" + strings.Repeat("x", 200_000)}, []string{"f=" + strings.Repeat("x", 200_000)}, ""},
		{"long files that differ", []string{"f=" + strings.Repeat("x", 200_000)}, []string{"f=" + strings.Repeat("x", 199_999) + "y"}, "modify f"},
		{"as long as what is compared at a time", []string{"f=" + strings.Repeat("x", 128<<10)}, []string{"f=" + strings.Repeat("x", 128<<10)}, ""},
		{"other mode", []string{"644:f=x", "755:d/"}, []string{"600:f=x", "700:d/"}, "mode d, mode f"},
		{"other mode and text", []string{"644:f=x"}, []string{"600:f=y"}, "modify f"},
		{"other target", []string{"l->f"}, []string{"l->g"}, "modify l g"},
		{"a link for a file", []string{"f=x"}, []string{"f->g"}, "replace f g"},
		{"a file for a link", []string{"f->g"}, []string{"f=x"}, "replace f"},
		{"a file for a directory", []string{"d/", "d/x=x"}, []string{"d=x"}, "replace d"},
		{"a directory for a file", []string{"d=x", "e=x"}, []string{"d/", "d/x=x", "e=y"}, "replace d, create d/x, modify e"},
		{"a new file in a directory", []string{"d/"}, []string{"d/", "d/x=x"}, "create d/x"},
		{"not readable", []string{"644:f=x", "755:d/"}, []string{"0:f=x", "0:d/"}, "mode d, mode f"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			p := sandbox.Profile{Workspace: filepath.Join(dir, "lower"), Preview: &sandbox.Preview{Upper: filepath.Join(dir, "upper")}}
			lay(t, dir, "lower/", "upper/")
			lay(t, p.Workspace, c.lower...)
			lay(t, p.Preview.Upper, c.upper...)
			all, complete, err := (&confined{Confinement: &sandbox.Confinement{Profile: p}}).Changes()
			if err != nil || !complete {
				t.Fatal(complete, err)
			}
			var got []string
			for _, change := range all {
				got = append(got, strings.TrimSpace(string(change.Op)+" "+change.Path+" "+change.Target))
				reads := change.Op == sandbox.Create || change.Op == sandbox.Modify || change.Op == sandbox.Replace
				if want := filepath.Join(p.Preview.Upper, change.Path); change.Mode.IsRegular() && reads && change.Source != want || change.Op == sandbox.Mode && change.Source != "" {
					t.Errorf("%s is read from %q", change.Path, change.Source)
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%q, want %s", got, c.want)
			}
			// The caller reads and removes what the command may have shut.
			err = filepath.WalkDir(p.Preview.Upper, func(name string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				if err == nil && (d.IsDir() && info.Mode().Perm()&0o700 != 0o700 || info.Mode().IsRegular() && info.Mode().Perm()&0o400 == 0) {
					t.Errorf("%s has the mode %o", name, info.Mode().Perm())
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestNoChanges has no preview, and one that is gone.
func TestNoChanges(t *testing.T) {
	sb := &confined{Confinement: &sandbox.Confinement{Profile: sandbox.Profile{Workspace: t.TempDir()}}}
	if all, complete, err := sb.Changes(); all != nil || !complete || err != nil {
		t.Errorf("without a preview: %+v, %t, %v", all, complete, err)
	}
	sb.Profile.Preview = &sandbox.Preview{Upper: filepath.Join(t.TempDir(), "missing")}
	if _, complete, err := sb.Changes(); complete || err == nil {
		t.Error("a preview that is gone has no changes")
	}
}

// TestReadAll reads files of the kernel and of a disk, up to a length.
func TestReadAll(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	write(t, name, strings.Repeat("x", 10_000))
	for most, want := range map[int]int{1: 1, 4096: 4096, 5000: 5000, 9999: 9999, 10_000: 10_000, 20_000: 10_000} {
		if data, err := readAll(name, most); err != nil || len(data) != want {
			t.Errorf("at most %d: %d, %v", most, len(data), err)
		}
	}
	if _, err := readAll(name+"x", 10); err == nil {
		t.Error("a file that is not there was read")
	}
	if _, err := readAll(filepath.Dir(name), 10); err == nil {
		t.Error("a directory was read")
	}
	if data, err := readAll("/proc/self/stat", 1<<10); err != nil || len(data) == 0 {
		t.Errorf("%q, %v", data, err)
	}
}

// TestOpenRegular opens files and nothing that a command may have put in their place.
func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, "f=x", "l->f", "d/")
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"f", "l", "d", "pipe", "none"} {
		f, err := openRegular(filepath.Join(dir, name))
		if (err == nil) != (name == "f") {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			f.Close()
		}
	}
	names, err := namesIn(dir)
	if err != nil || len(names) != 4 {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := namesIn(filepath.Join(dir, "l")); err == nil {
		t.Error("a file was listed")
	}
}
