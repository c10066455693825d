package workspace

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestWriteFile(t *testing.T) {
	tests := []struct {
		what string
		name string
		opts WriteOptions
		want Written
		code fault.Code
		file string // that then holds the new text
	}{
		{what: "new", name: "new", want: Written{Path: "new", Created: true}, file: "new"},
		{what: "over", name: "f", want: Written{Path: "f"}, file: "f"},
		{what: "below", name: "d/x/../new", want: Written{Path: "d/new", Created: true}, file: "d/new"},
		{what: "parents", name: "p/q/new", opts: WriteOptions{Parents: true},
			want: Written{Path: "p/q/new", Created: true, Dirs: []string{"p", "p/q"}}, file: "p/q/new"},
		{what: "parents there", name: "d/new", opts: WriteOptions{Parents: true},
			want: Written{Path: "d/new", Created: true}, file: "d/new"},
		{what: "create", name: "new", opts: WriteOptions{Create: true}, want: Written{Path: "new", Created: true}, file: "new"},
		{what: "through a link", name: "link", want: Written{Path: "d/in"}, file: "d/in"},
		{what: "through an absolute link", name: "abs", want: Written{Path: "d/in"}, file: "d/in"},
		{what: "through a chain", name: "chain", want: Written{Path: "d/in"}, file: "d/in"},
		{what: "through a dangling link", name: "dangling", want: Written{Path: "d/made", Created: true}, file: "d/made"},
		{what: "dangling with parents", name: "deep", opts: WriteOptions{Parents: true},
			want: Written{Path: "m/n/o", Created: true, Dirs: []string{"m", "m/n"}}, file: "m/n/o"},
		{what: "through a linked directory", name: "dirlink/in", want: Written{Path: "d/in"}, file: "d/in"},
		{what: "hard link", name: "hard", want: Written{Path: "hard", InPlace: true}, file: "hard2"},

		{what: "no parent", name: "p/q/new", code: fault.NotFound},
		{what: "dangling without parents", name: "deep", code: fault.NotFound},
		{what: "file as parent", name: "f/new", code: fault.NotADirectory},
		{what: "file as parent to be made", name: "f/p/new", opts: WriteOptions{Parents: true}, code: fault.NotADirectory},
		{what: "directory", name: "d", code: fault.IsDirectory},
		{what: "directory by link", name: "dirlink", code: fault.IsDirectory},
		{what: "root", name: ".", code: fault.IsDirectory},
		{what: "slash", name: "new/", code: fault.IsDirectory},
		{what: "create over a file", name: "f", opts: WriteOptions{Create: true}, code: fault.AlreadyExists},
		{what: "create over a link", name: "link", opts: WriteOptions{Create: true}, code: fault.AlreadyExists},
		{what: "create over a dangling link", name: "dangling", opts: WriteOptions{Create: true}, code: fault.AlreadyExists},
		{what: "create over a link outside", name: "out", opts: WriteOptions{Create: true}, code: fault.AlreadyExists},
		{what: "create over a directory", name: "d", opts: WriteOptions{Create: true}, code: fault.AlreadyExists},
		{what: "link outside", name: "out", code: fault.OutsideWorkspace},
		{what: "new through a link outside", name: "outnew", code: fault.OutsideWorkspace},
		{what: "below a link outside", name: "outdir/new", opts: WriteOptions{Parents: true}, code: fault.OutsideWorkspace},
		{what: "loop", name: "loop", code: fault.OutsideWorkspace},
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		for _, tt := range tests {
			t.Run(tt.what, func(t *testing.T) {
				ws, above := workspaceDir(t)
				tree(t, ws, "f = old", "d/in = old", "link -> d/in", "abs -> "+filepath.Join(ws, "d/in"), "chain -> dirlink/../link",
					"dirlink -> d", "dangling -> d/made", "deep -> m/n/o", "hard = old", "out -> ../secret", "outnew -> ../new",
					"outdir -> ../out", "loop -> loop")
				tree(t, above, "secret = secret", "out/secret = secret")
				if err := os.Link(filepath.Join(ws, "hard"), filepath.Join(ws, "hard2")); err != nil {
					t.Fatal(err)
				}
				before := snapshot(t, above)
				text := strings.Repeat("new text\n", 100)
				got, err := open(ws, Options{}).WriteFile(tt.name, []byte(text), tt.opts)
				if tt.code != "" {
					wantCode(t, err, tt.code)
					if message := fault.As(err).Message; !strings.Contains(message.String(), tt.name) {
						t.Errorf("the message does not name %s: %s", tt.name, message)
					}
					if diff := cmp.Diff(before, snapshot(t, above)); diff != "" {
						t.Errorf("refused, and changed (-before +after)\n%s", diff)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				wantText(t, filepath.Join(ws, tt.file), text)
				after := snapshot(t, above)
				for name, was := range before {
					now := after[name]
					if strings.HasPrefix(filepath.Base(name), temporaryPrefix) {
						t.Errorf("%s is left over", name)
					}
					changed := name == filepath.Join(ws, tt.file) || tt.name == "hard" && name == filepath.Join(ws, "hard")
					if now != was && !changed {
						t.Errorf("%s went from %q to %q", name, was, now)
					}
				}
			})
		}
	})
}

func TestWriteFileSizes(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, "alone", "hard")
	if err := os.Link(filepath.Join(ws, "hard"), filepath.Join(ws, "hard2")); err != nil {
		t.Fatal(err)
	}
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, size := range []int{0, 1, 5000, 4999, 3 << 20, 0, 7} {
		data := bytes.Repeat([]byte{byte('a' + i)}, size)
		for _, name := range []string{"alone", "hard"} {
			if _, err := r.WriteFile(name, data, WriteOptions{}); err != nil {
				t.Error(err)
			}
		}
		wantText(t, filepath.Join(ws, "alone"), string(data))
		wantText(t, filepath.Join(ws, "hard2"), string(data))
	}
	wantNames(t, ws, "alone", "hard", "hard2")
}

func TestWriteFileMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such bits")
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		probe := filepath.Join(ws, "probe")
		if err := os.WriteFile(probe, nil, 0o666); err != nil { // what the umask leaves
			t.Fatal(err)
		}
		usual, err := os.Stat(probe)
		if err != nil {
			t.Fatal(err)
		}
		r := open(ws, Options{})
		tests := []struct {
			old  fs.FileMode // 0: none
			opts WriteOptions
			want fs.FileMode
		}{
			{0, WriteOptions{}, usual.Mode()},
			{0, WriteOptions{Create: true}, usual.Mode()},
			{0, WriteOptions{Mode: 0o777}, 0o777},
			{0, WriteOptions{Mode: 0o600, Create: true}, 0o600},
			{0o755, WriteOptions{}, 0o755},
			{0o600, WriteOptions{}, 0o600},
			{0o666, WriteOptions{}, 0o666},
			{0o755, WriteOptions{Mode: 0o644}, 0o644},
			{0o755 | fs.ModeSetuid, WriteOptions{}, 0o755},
			{0o755 | fs.ModeSetuid | fs.ModeSetgid, WriteOptions{}, 0o755},
			{0o644 | fs.ModeSetgid, WriteOptions{}, 0o644 | fs.ModeSetgid},
			{0o444, WriteOptions{}, 0o444},
		}
		if os.Geteuid() != 0 {
			tests = tests[:len(tests)-1] // only root may write what is read-only
		}
		for i, tt := range tests {
			name := fmt.Sprint("f", i)
			p := filepath.Join(ws, name)
			if tt.old != 0 {
				tree(t, ws, name+" = old")
				if err := os.Chmod(p, tt.old); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := r.WriteFile(name, []byte("new"), tt.opts); err != nil {
				t.Error(err)
			}
			if got, err := os.Stat(p); err != nil || got.Mode() != tt.want {
				t.Errorf("%v with %+v became %v, want %v", tt.old, tt.opts, got.Mode(), tt.want)
			}
		}
	})
}

// TestCreateRace has many writers make one file; one may.
func TestCreateRace(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		r := open(ws, Options{})
		const writers = 8
		for round := range 10 {
			name := fmt.Sprint("f", round)
			start, won := make(chan struct{}), make(chan string, writers)
			for i := range writers {
				go func() {
					<-start
					text := fmt.Sprint(i)
					w, err := r.WriteFile(name, []byte(text), WriteOptions{Create: true})
					switch {
					case fault.Is(err, fault.AlreadyExists):
						text = ""
					case err != nil || !w.Created:
						t.Errorf("%+v, %v", w, err)
					}
					won <- text
				}()
			}
			close(start)
			winner := ""
			for range writers {
				if text := <-won; text != "" && winner != "" {
					t.Errorf("both %s and %s made %s", winner, text, name)
				} else if text != "" {
					winner = text
				}
			}
			wantText(t, filepath.Join(ws, name), winner)
		}
		if entries, err := os.ReadDir(ws); err != nil || len(entries) != 10 {
			t.Errorf("%v, %v", entries, err)
		}
	})
}

// TestWritersAtOnce has writers, which also look for leftovers, in one
// directory: each file is one writer's in the end and nothing remains.
func TestWritersAtOnce(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		r := open(ws, Options{})
		const writers, rounds = 6, 15
		done := make(chan error, writers)
		text := func(i int) string { return strings.Repeat(fmt.Sprint(i), 5000) }
		for i := range writers {
			go func() {
				for n := range rounds {
					if _, err := r.WriteFile(fmt.Sprint("f", n%3), []byte(text(i)), WriteOptions{}); err != nil {
						done <- err
						return
					}
				}
				done <- nil
			}()
		}
		for range writers {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		wantNames(t, ws, "f0", "f1", "f2")
		for n := range 3 {
			got, err := os.ReadFile(filepath.Join(ws, fmt.Sprint("f", n)))
			if err != nil || len(got) == 0 || string(got) != strings.Repeat(string(got[:1]), 5000) {
				t.Errorf("f%d is mixed: %d bytes, %v", n, len(got), err)
			}
		}
	})
}

func TestStaleTemporaries(t *testing.T) {
	ws, _ := workspaceDir(t)
	stale := ".helve-0123456789abcdef"
	tree(t, ws, stale, "d/"+stale, ".helve-mine", ".helve-0123456789ABCDEF", ".helve-0123456789abcdefg", ".helve-0123456789abcdee/")
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	d, _, err := r.handle.directory(".", false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	live, err := d.newTemporary(0o600, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.WriteFile("f", []byte("x"), WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	want := []string{".helve-0123456789ABCDEF", ".helve-0123456789abcdee", ".helve-0123456789abcdefg", ".helve-mine", live.name, "d", "f"}
	got := map[string]bool{}
	entries, err := os.ReadDir(ws)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got[e.Name()] = true
	}
	for _, name := range want {
		if !got[name] {
			t.Errorf("%s was removed", name)
		}
	}
	if listed, err := r.ReadDir("."); err != nil || len(listed) != len(want)-1 || len(listed) != len(entries)-1 {
		t.Errorf("listed are %d of %d: %v", len(listed), len(entries), err) // all but the one in use
	}
	if got[stale] {
		t.Errorf("%s, whose writer is dead, remains", stale)
	}
	wantNames(t, filepath.Join(ws, "d"), stale) // it is tidied up where one writes
	if err := live.discard(); err != nil {
		t.Error(err)
	}
}

func TestArtifacts(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		r := open(ws, Options{})
		for range 2 {
			a, dir, err := r.Artifacts("", "default")
			if err != nil {
				t.Fatal(err)
			}
			if dir != ".helve/artifacts/default" || a.Dir() != filepath.Join(ws, dir) {
				t.Errorf("%s, %s", dir, a.Dir())
			}
			if _, err := a.WriteFile(a.At("img/1.png"), []byte("png"), WriteOptions{Parents: true}); err != nil {
				t.Error(err)
			}
			_, err = asked{a}.WriteFile("../x", nil, WriteOptions{})
			wantCode(t, err, fault.OutsideWorkspace)
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		}
		wantText(t, filepath.Join(ws, ".helve/artifacts/.gitignore"), "*\n")
		f, err := r.Open(".helve/artifacts/default/img/1.png")
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		_, err = r.WriteFile(".helve/artifacts/default/img/1.png", nil, WriteOptions{})
		wantCode(t, err, fault.ProtectedPath)
		for _, session := range []string{"", ".", "..", "a/b", `a\b`, "../x", ".hidden", "a\x00", "a:b"} {
			_, _, err := r.Artifacts("", session)
			wantCode(t, err, fault.InvalidArguments)
		}

		ws2, _ := workspaceDir(t)
		tree(t, ws2, "src/", ".helve/artifacts -> ../src")
		_, _, err = open(ws2, Options{}).Artifacts("", "default")
		wantCode(t, err, fault.OutsideWorkspace)
		wantNames(t, filepath.Join(ws2, "src"))
	})
}

// TestStaleScan leaves more temporary files of dead writers behind than half of
// what one writer looks through.
func TestStaleScan(t *testing.T) {
	ws, _ := workspaceDir(t)
	for i := range 6000 {
		tree(t, ws, fmt.Sprintf("%s%0*x", temporaryPrefix, temporaryDigits, i))
	}
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.WriteFile("a", []byte("x"), WriteOptions{Create: true}); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(ws)
	if err != nil || len(left) != 1 {
		t.Errorf("%d entries are left, %v", len(left), err)
	}
}
