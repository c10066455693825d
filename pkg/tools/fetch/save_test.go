package fetch

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/web"
	"github.com/helve-dev/helve/pkg/workspace"
)

// newStore is a world in which files are saved, by calls that go through the guard.
func newStore(t *testing.T, handler http.HandlerFunc) *world {
	t.Helper()
	w := newWorld(t, handler)
	w.keep(t, t.TempDir())
	return w
}

// storeAt is the world of directories that another process made.
func storeAt(t *testing.T, rootDir, stateDir string) *world {
	t.Helper()
	root, err := workspace.Open(rootDir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	client := web.New(web.Options{AllowPrivate: true})
	w := &world{root: root, env: &tool.Env{Session: "test", Root: func() (*workspace.Root, error) { return root, nil }}}
	tool.Provide(w.env, func() (*web.Client, error) { return client, nil })
	w.keep(t, stateDir)
	return w
}

// keep gives the world a directory for its state and its journal.
func (w *world) keep(t *testing.T, stateDir string) {
	t.Helper()
	dir, err := state.Open(stateDir, w.root.Dir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.env.State = func() (*state.Dir, error) { return dir, nil }
	w.env.Audit = w.env.State
	w.env.Now = func() time.Time { return time.Unix(1_700_000_000, 0).UTC() }
	w.env.Journal = sync.OnceValues(func() (*journal.Journal, error) {
		return journal.New(dir, w.root.Tree(), journal.Options{Snapshots: func(dir string) (journal.Tree, error) {
			root, err := workspace.Open(dir, workspace.Options{})
			if err != nil {
				return nil, err
			}
			t.Cleanup(func() { _ = root.Close() })
			return root.Tree(), nil
		}}), nil
	})
}

// call makes a call as a program does.
func (w *world) call(ctx context.Context, args map[string]any) (Result, error) {
	input, err := json.Marshal(args)
	if err != nil {
		return Result{}, err
	}
	o := guard.Run(ctx, w.env, Tool, input)
	w.warnings = nil
	for _, text := range o.Warnings {
		w.warnings = append(w.warnings, text.In(fault.English))
	}
	if o.Err != nil {
		return Result{}, o.Err
	}
	return o.Result.(Result), nil
}

func (w *world) save(path string) (Result, error) {
	return w.call(context.Background(), map[string]any{"url": w.url + "/f", "save": path})
}

// files returns the paths of the files in the workspace, without helve's own.
func (w *world) files(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(w.root.Dir(), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == ".helve" {
			return filepath.SkipDir
		}
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(w.root.Dir(), path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (w *world) put(t *testing.T, name, content string) {
	t.Helper()
	at := filepath.Join(w.root.Dir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (w *world) get(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(w.root.Dir(), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// spools returns how many temporary files are left.
func (w *world) spools(t *testing.T) int {
	t.Helper()
	dir, err := w.env.State()
	if err != nil {
		t.Fatal(err)
	}
	at, err := dir.Temporary()
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(at)
	if err != nil {
		t.Fatal(err)
	}
	return len(left)
}

func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:16]
}

func TestSave(t *testing.T) {
	body := fixture(t, "docx/testdata/pandoc-report.docx")
	w := newStore(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Encoding", "gzip") // of the transfer: undone
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, body)
		_ = z.Close()
	})
	r, err := w.save("papers/2024/report.docx")
	if err != nil {
		t.Fatal(err)
	}
	s := r.Saved
	if s == nil || s.Path != "papers/2024/report.docx" || s.Bytes != int64(len(body)) || s.SHA != sumOf(body) || s.UndoID == "" || r.Content != "" || !strings.Contains(r.MIME, "wordprocessingml") {
		t.Errorf("%+v, %+v", r.Page, s)
	}
	if w.get(t, "papers/2024/report.docx") != body || w.spools(t) != 0 {
		t.Error("the file is not what was sent, or something is left")
	}
	j, err := w.env.Journal()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Undo(t.Context(), "test", journal.Selector{ID: s.UndoID}, false); err != nil || len(w.files(t)) != 0 {
		t.Errorf("%v, %v", w.files(t), err)
	}
}

// Nothing is saved where nothing may be written, and then nothing is asked for either.
func TestSaveRefused(t *testing.T) {
	asked := false
	w := newStore(t, func(w http.ResponseWriter, _ *http.Request) { asked = true; _, _ = io.WriteString(w, "x") })
	outside := t.TempDir()
	w.put(t, "dir/kept.txt", "kept")
	for link, to := range map[string]string{"out": outside, "file": filepath.Join(outside, "f")} {
		if err := os.Symlink(to, filepath.Join(w.root.Dir(), link)); err != nil {
			t.Skip(err)
		}
	}
	for path, code := range map[string]fault.Code{
		"../up.bin":                       fault.OutsideWorkspace,
		filepath.Join(outside, "abs.bin"): fault.OutsideWorkspace,
		"out/f.bin":                       fault.OutsideWorkspace,
		"file":                            fault.OutsideWorkspace,
		".git/hooks/pre-commit":           fault.ProtectedPath,
		".helve/config.json":              fault.ProtectedPath,
		"dir":                             fault.IsDirectory,
		"new/":                            fault.IsDirectory,
		"dir/kept.txt/below":              fault.NotADirectory,
	} {
		if _, err := w.save(path); !fault.Is(err, code) {
			t.Errorf("%s: %v, want %s", path, err, code)
		}
	}
	w.env.ReadOnly = true
	_, err := w.save("f.bin")
	if e := fault.As(err); !fault.Is(err, fault.Denied) || !strings.Contains(e.Message.In(fault.English), "f.bin") || !strings.Contains(e.Hint.In(fault.English), "readonly") {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(outside); asked || len(left) > 0 || len(w.files(t)) != 3 {
		t.Errorf("asked: %v, outside: %v, in: %v", asked, left, w.files(t))
	}
	if r, err := w.call(t.Context(), map[string]any{"url": w.url + "/page"}); err != nil || r.Content != "x" {
		t.Errorf("a page in a read-only run: %v", err)
	}
	w.env.ReadOnly = false
	if _, err := w.call(t.Context(), map[string]any{"urls": []string{w.url}, "save": "f"}); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("several: %v", err)
	}
}

// A person is asked about the address and the path; a call that reads asks nobody.
func TestSaveRisk(t *testing.T) {
	w := newStore(t, send(200, "text/plain", "x"))
	w.put(t, "old.txt", "123")
	if Tool.Risk != policy.Read || !Tool.MayRead() {
		t.Error("fetch is a tool that reads")
	}
	p, err := preview(t.Context(), newCall(w, ""), Args{URL: "http://example.org/a", Save: "b/c.bin"})
	if err != nil || !strings.Contains(p, "http://example.org/a") || !strings.Contains(p, "b/c.bin, a new file") {
		t.Errorf("%q, %v", p, err)
	}
	if p, err = preview(t.Context(), newCall(w, ""), Args{URL: "http://example.org/a", Save: "old.txt"}); err != nil || !strings.Contains(p, "in place of its 3 bytes") {
		t.Errorf("%q, %v", p, err)
	}
	for save, want := range map[string]policy.Risk{"": policy.Read, "f": policy.Write} {
		j, _, err := judge(t.Context(), newCall(w, ""), Args{URL: "http://example.org/", Save: save})
		if err != nil || j.Risk != want {
			t.Errorf("%q: %+v, %v", save, j, err)
		}
	}
	// A path that was cut off is no path.
	if o := guard.Run(t.Context(), w.env, Tool, []byte(`{"url":"`+w.url+`","save":"data/fil`)); !fault.Is(o.Err, fault.InvalidArguments) || len(w.files(t)) != 1 {
		t.Errorf("%v, %v", o.Err, w.files(t))
	}
	if o := guard.Run(t.Context(), w.env, Tool, []byte(`{"url":"`+w.url)); o.Err != nil {
		t.Errorf("cut off: %v", o.Err)
	}
}

// What fails, ends early or does not end leaves nothing behind.
func TestSaveNothing(t *testing.T) {
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	for name, c := range map[string]struct {
		code    fault.Code
		handler http.HandlerFunc
	}{
		"a status of failure": {fault.HTTPStatus, send(404, "text/plain", "not here")},
		"a part": {fault.HTTPStatus, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 0-2/9")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, "abc")
		}},
		"a body that ends early": {fault.Unavailable, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "abc")
		}},
		"a stream that ends early": {fault.Unavailable, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("abc", 9000))
			panic(http.ErrAbortHandler)
		}},
		"a coding that ends early": {fault.UnsupportedContent, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			var b strings.Builder
			z := gzip.NewWriter(&b)
			_, _ = io.WriteString(z, strings.Repeat("abcdefgh", 900))
			_ = z.Close()
			_, _ = io.WriteString(w, b.String()[:b.Len()-12])
		}},
		"a silent server": {fault.Timeout, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "abc")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		}},
		"a length beyond the limit": {fault.TooLarge, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(saveBytes+1))
			_, _ = io.WriteString(w, "abc")
		}},
		"a bomb": {fault.TooLarge, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			block := make([]byte, 1<<20)
			for range saveBytes>>20 + 2 {
				if _, err := z.Write(block); err != nil {
					return
				}
			}
			_ = z.Close()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newStore(t, c.handler)
			w.put(t, "old.bin", "old")
			timeout := 120
			if c.code == fault.Timeout {
				timeout = 1
			}
			for _, path := range []string{"new/f.bin", "old.bin"} {
				_, err := w.call(t.Context(), map[string]any{"url": w.url, "save": path, "timeout": timeout})
				if !fault.Is(err, c.code) {
					t.Errorf("%s: %v, want %s", path, err, c.code)
				}
			}
			if _, err := os.Stat(filepath.Join(w.root.Dir(), "new")); err == nil || w.get(t, "old.bin") != "old" || w.spools(t) != 0 {
				t.Errorf("%v, %q, %d left", err, w.get(t, "old.bin"), w.spools(t))
			}
		})
	}
}

// A body without an end is given up at the limit, with nothing left.
func TestSaveEndless(t *testing.T) {
	if testing.Short() {
		t.Skip("sends 100 MiB")
	}
	block := []byte(strings.Repeat("0123456789abcdef", 1<<14))
	w := newStore(t, func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	if _, err := w.call(t.Context(), map[string]any{"url": w.url, "save": "f", "timeout": 120}); !fault.Is(err, fault.TooLarge) || len(w.files(t)) != 0 || w.spools(t) != 0 {
		t.Errorf("%v, %v", err, w.files(t))
	}
}

// A first try that broke off leaves nothing of itself in the file.
func TestSaveAgain(t *testing.T) {
	tries := 0
	w := newStore(t, func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries == 1 {
			w.Header().Set("Content-Length", "9000")
			_, _ = io.WriteString(w, strings.Repeat("first", 100))
			return
		}
		_, _ = io.WriteString(w, "second")
	})
	if r, err := w.save("f"); err != nil || w.get(t, "f") != "second" || r.Saved.Bytes != 6 {
		t.Errorf("%v", err)
	}
}

// Files too large for memory are moved into their place, and back out by undo.
func TestSaveLarge(t *testing.T) {
	body := strings.Repeat("0123456789abcdef", (state.MaxBlob+1<<20)/16)
	w := newStore(t, sendFile("application/octet-stream", body))
	for path, before := range map[string]string{"deep/new.bin": "", "old.bin": "what was there"} {
		if before != "" {
			w.put(t, path, before)
		}
		r, err := w.save(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.get(t, path); sumOf(got) != sumOf(body) || r.Saved.SHA != sumOf(body) || r.Saved.UndoID == "" || w.spools(t) != 0 {
			t.Errorf("%d bytes, %+v", len(got), r.Saved)
		}
		if info, err := os.Stat(filepath.Join(w.root.Dir(), path)); err != nil || info.Mode().Perm()&0o444 == 0 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		j, err := w.env.Journal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := j.Undo(t.Context(), "test", journal.Selector{ID: r.Saved.UndoID}, false); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(w.root.Dir(), "deep")); err == nil && before == "" || before != "" && w.get(t, path) != before {
			t.Errorf("undo left %v", w.files(t))
		}
	}
}

// What the session does not know is overwritten as write does it.
func TestSaveOver(t *testing.T) {
	w := newStore(t, send(200, "text/plain", "new"))
	w.put(t, "f.txt", "of others")
	w.env.RequireRead = "on"
	if _, err := w.save("f.txt"); !fault.Is(err, fault.Unread) || w.get(t, "f.txt") != "of others" {
		t.Errorf("%v", err)
	}
	w.env.RequireRead = ""
	if _, err := w.save("f.txt"); err != nil || len(w.warnings) != 1 || w.get(t, "f.txt") != "new" {
		t.Errorf("%v, %v", w.warnings, err)
	}
	w.env.RequireRead = "on" // it is the session's own now
	if _, err := w.save("f.txt"); err != nil || len(w.warnings) != 0 {
		t.Errorf("%v, %v", w.warnings, err)
	}
	w.put(t, "f.txt", "changed by others")
	if _, err := w.save("f.txt"); !fault.Is(err, fault.Stale) || w.get(t, "f.txt") != "changed by others" {
		t.Errorf("%v", err)
	}
}

// What others wrote to the path while the file came is not lost.
func TestSaveMeanwhile(t *testing.T) {
	var w *world
	w = newStore(t, func(out http.ResponseWriter, _ *http.Request) {
		w.put(t, "f.txt", "by others")
		_, _ = io.WriteString(out, "fetched")
	})
	if _, err := w.save("f.txt"); !fault.Is(err, fault.Stale) || w.get(t, "f.txt") != "by others" {
		t.Errorf("%v", err)
	}
}

// Of calls at the same time, each saves all of its file or nothing.
func TestSaveTogether(t *testing.T) {
	w := newStore(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat(r.URL.Query().Get("n"), 100_000))
	})
	var all sync.WaitGroup
	for _, n := range []string{"a", "b", "c", "d"} {
		all.Go(func() {
			input, _ := json.Marshal(map[string]any{"url": w.url + "/?n=" + n, "save": "f"})
			if o := guard.Run(t.Context(), w.env, Tool, input); o.Err != nil && !fault.Is(o.Err, fault.Stale) && !fault.Is(o.Err, fault.Locked) {
				t.Error(o.Err)
			}
		})
	}
	all.Wait()
	if got := w.get(t, "f"); len(got) != 100_000 || strings.Trim(got, got[:1]) != "" || w.spools(t) != 0 {
		t.Errorf("%d bytes, %d left", len(got), w.spools(t))
	}
}

// A call that is cancelled saves nothing.
func TestSaveCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newStore(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "abc")
		_ = http.NewResponseController(w).Flush()
		cancel()
		<-r.Context().Done()
	})
	if _, err := w.call(ctx, map[string]any{"url": w.url, "save": "f"}); err == nil || len(w.files(t)) != 0 || w.spools(t) != 0 {
		t.Errorf("%v, %v", err, w.files(t))
	}
}

func newCall(w *world, input string) *tool.Call { return tool.NewCall(w.env, Tool, []byte(input)) }
