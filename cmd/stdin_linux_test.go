package cmd_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/tools"
)

// stdinCalls are calls of all tools that have what they need.
var stdinCalls = map[string][]string{
	"read":      {"a.txt"},
	"write":     {"new.txt", "--content", "x"},
	"edit":      {"a.txt", "one", "two"},
	"patch":     {"--patch", "*** Begin Patch\n*** Add File: p.txt\n+x\n*** End Patch"},
	"undo":      {},
	"delete":    {"a.txt"},
	"copy":      {"a.txt", "copy.txt"},
	"move":      {"--from", "new.txt", "--to", "moved.txt"},
	"mkdir":     {"d"},
	"ls":        {},
	"find":      {},
	"grep":      {"x"},
	"exec":      {"cat"},
	"job":       {},
	"websearch": {"x", "--provider", "duckduckgo"},
	"fetch":     {"http://127.0.0.1:1/"},
	"time":      {},
	"message":   {"x", "--channel", "telegram", "--to", "42"},
	"spawn":     {"x"},

	"cron_add":    {"--message", "x", "--in", "1h"},
	"cron_list":   {},
	"cron_remove": {"x"},
}

// stdin is a standard input. Its writer does nothing until the call has answered.
type stdin struct {
	file *os.File // nil: descriptor 0 is not open
	// end ends what was written, so that what is left of it can be read. Nil: nothing
	// can be left.
	end func()
}

// stdins make each kind of standard input, on which text is already.
var stdins = map[string]func(t *testing.T, text string) stdin{
	"closed": func(*testing.T, string) stdin { return stdin{} },
	"null": func(t *testing.T, _ string) stdin {
		f, err := os.Open(os.DevNull)
		must(t, err)
		return stdin{file: f}
	},
	"file": func(t *testing.T, text string) stdin {
		f, err := os.Open(cmdtest.Put(t, t.TempDir(), "f", "before"+text))
		must(t, err)
		_, err = f.Seek(int64(len("before")), io.SeekStart)
		must(t, err)
		return stdin{f, func() {}}
	},
	"pipe": func(t *testing.T, text string) stdin {
		r, w := channel(t, "pipe")
		_, err := w.WriteString(text)
		must(t, err)
		return stdin{r, func() { w.Close() }}
	},
	"closed pipe": func(t *testing.T, text string) stdin {
		r, w, err := os.Pipe()
		must(t, err)
		_, err = w.WriteString(text)
		must(t, err)
		w.Close()
		return stdin{r, func() {}}
	},
	"socket": func(t *testing.T, text string) stdin {
		r, w := channel(t, "socket")
		_, err := w.WriteString(text)
		must(t, err)
		return stdin{r, func() { w.Close() }}
	},
	"terminal": func(t *testing.T, text string) stdin {
		typist, terminal := cmdtest.Terminal(t)
		_, err := typist.WriteString(text)
		must(t, err)
		return stdin{terminal, func() {
			_, err := typist.WriteString("\x04\x04") // ^D: what was typed before it can be read, then there is no more
			must(t, err)
		}}
	},
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// calledWith runs helve with a standard input until it ends, which it must do
// before the writer does anything, and returns the answer.
func calledWith(t *testing.T, dir string, in stdin, args ...string) (a cmdtest.Answer) {
	t.Helper()
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close()
	c := cmdtest.Helve(dir, args...)
	p, err := os.StartProcess(c.Path, c.Args, &os.ProcAttr{Dir: dir, Env: c.Env, Files: []*os.File{in.file, w, w}})
	must(t, err)
	w.Close()
	killer := time.AfterFunc(2*time.Minute, func() { _ = p.Kill() })
	defer killer.Stop()
	out, err := io.ReadAll(r)
	must(t, err)
	_, err = p.Wait()
	must(t, err)
	if json.Unmarshal(out, &a) != nil || a.OK == (a.Error.Code != "") {
		t.Fatalf("%q: no answer: %.300q", args, out)
	}
	return a
}

// left returns what is left of a standard input.
func (in stdin) left(t *testing.T) string {
	t.Helper()
	if in.end == nil {
		return ""
	}
	in.end()
	defer in.file.Close()
	rest, err := io.ReadAll(in.file)
	must(t, err)
	return string(rest)
}

// TestStdin calls every tool with every kind of standard input. Each answers before
// the writer does anything more, and whatever a call has not taken is left for others.
// What is called without arguments and changes something does not take silence for consent.
func TestStdin(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	const whole, message, two = `{"path":"sub"}`, "{\"jsonrpc\":\"2.0\",\"id\":1}\n", "{\"path\":\"sub\"}\n{\"path\":\"sub\"}\n"
	turns := make(chan struct{}, 4)
	for _, c := range []struct {
		kind, text string
		only       string // a tool, instead of all
		taken      bool   // by tools that have no arguments yet, and the argument path
	}{
		{kind: "closed"}, {kind: "null"}, {kind: "pipe"}, {kind: "socket"},
		{kind: "pipe", text: whole, taken: true}, {kind: "terminal", text: whole + "\n"},
		{kind: "closed pipe", only: "ls"}, {kind: "closed pipe", text: whole, only: "ls", taken: true}, {kind: "closed pipe", text: message, only: "ls", taken: true},
		{kind: "pipe", text: message, only: "ls"}, {kind: "pipe", text: two, only: "ls"},
		{kind: "socket", text: whole, only: "ls", taken: true}, {kind: "socket", text: message, only: "ls"}, {kind: "socket", text: two, only: "ls"},
		{kind: "file", text: whole, only: "ls", taken: true}, {kind: "file", text: two, only: "ls"},
	} {
		t.Run(c.kind+c.text, func(t *testing.T) {
			t.Parallel()
			turns <- struct{}{}
			defer func() { <-turns }()
			dir := t.TempDir()
			cmdtest.Setenv(dir, "HELVE_HOME="+home, "HELVE_SEARCH_DUCKDUCKGO_URL=http://127.0.0.1:1/")
			cmdtest.Put(t, dir, "a.txt", "one\n")
			must(t, os.Mkdir(dir+"/sub", 0o755))
			for _, tool := range tools.Builtin() {
				args, known := stdinCalls[tool.Name]
				switch {
				case !known:
					t.Errorf("no call of %s", tool.Name)
					continue
				case c.only != "" && c.only != tool.Name:
					continue
				}
				in := stdins[c.kind](t, c.text)
				a := calledWith(t, dir, in, append(strings.Fields(tool.Command()), args...)...)
				_, named := tool.Schema().Field("path")
				want := c.text
				if c.taken && len(args) == 0 && named {
					want = ""
				}
				if rest := in.left(t); rest != want {
					t.Errorf("%s: %q is left, want %q: %+v", tool.Name, rest, want, a)
				}
				silent := c.text == "" && (c.kind == "pipe" || c.kind == "socket")
				if len(args) == 0 && !tool.MayRead() && silent != (a.Error.Code == "usage") {
					t.Errorf("%s: %+v", tool.Name, a)
				}
				if tool.Name == "ls" && a.OK && (a.Data["path"] == "sub") != c.taken {
					t.Errorf("ls: %+v", a)
				}
			}
		})
	}
}

// TestStdinShared: calls that run side by side on one pipe take an object once.
func TestStdinShared(t *testing.T) {
	dir := cmdtest.Workspace(t)
	must(t, os.Mkdir(dir+"/sub", 0o755))
	in := stdins["pipe"](t, `{"path":"sub"}`)
	t.Run("calls", func(t *testing.T) {
		for i := range 4 {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				if a := calledWith(t, dir, in, "ls"); !a.OK && a.Error.Code != "io_error" {
					t.Errorf("%+v", a)
				}
			})
		}
	})
	if rest := in.left(t); rest != "" {
		t.Errorf("%q is left", rest)
	}
}

// TestStdinNeeded: a call that lacks arguments takes an object that is whole from an
// input that stays open, and is refused where nothing can come.
func TestStdinNeeded(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, dir, "a.txt", "one\n")
	for _, kind := range []string{"pipe", "socket", "file"} {
		if a := calledWith(t, dir, stdins[kind](t, `{"path":"a.txt"}`), "read"); a.Data["content"] != "one\n" {
			t.Errorf("%s: %+v", kind, a)
		}
	}
	for _, kind := range []string{"closed", "null", "terminal", "closed pipe"} {
		if a := calledWith(t, dir, stdins[kind](t, ""), "read"); a.Error.Code != "invalid_arguments" {
			t.Errorf("%s: %+v", kind, a)
		}
	}
}

// TestStdinFromNode: Node gives a child an open standard input, which nobody closes,
// whether anything is written to it or not.
func TestStdinFromNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, dir, "a.txt", "one\n")
	for tool, written := range map[string]string{"ls": "", "read": `{"path":"a.txt"}`} {
		c := cmdtest.In(dir, exec.Command(node, "-e", `const [tool, text] = process.argv.slice(1);
			const c = require("child_process").execFile("helve", [tool], (err, out) => process.stdout.write(out));
			if (text) c.stdin.write(text);`, "--", tool, written))
		if a, _ := cmdtest.Call(t, c); !a.OK {
			t.Errorf("%s, %q: %+v", tool, written, a)
		}
	}
}

// TestStdinLate: arguments that come late, in pieces, or that no pipe holds at once are
// taken whole, from pipes and sockets that stay open.
func TestStdinLate(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70_000)
	for _, c := range []struct {
		tool   string
		pieces []string // with pauses between them
		want   string   // in the answer
	}{
		{"exec", []string{"", `{"command":"echo late"}`}, "late"},
		{"exec", []string{`{"comm`, `and":"ec`, `ho late"}`}, "late"},
		{"exec", []string{`{"command":"echo late # ` + long + `"}`}, "late"},
		{"exec", []string{`{"stdin":"` + long, long + `","command":"wc -c"}`}, "140000"},
		{"write", []string{"", `{"path":"new.txt","content":"` + long, long + `"}`}, "new.txt"},
		{"undo", []string{"", `{"id":"none"}`}, "no change none"},
		{"undo", []string{`{"i`, `d":"none"}`}, "no change none"},
		{"ls", []string{`{`, `"path":"sub"}`}, "inside.txt"},
		{"ls", []string{`{"path":"s`, `ub"}`}, "inside.txt"},
		{"find", []string{`{"path":"sub","q`, `uery":"inside"}`}, "inside.txt"},
		{"time", []string{`{"timezone":"Asi`, `a/Tokyo"}`}, "Tokyo"},
	} {
		for _, kind := range []string{"pipe", "socket"} {
			t.Run(c.tool+" "+kind, func(t *testing.T) {
				t.Parallel()
				dir := cmdtest.Workspace(t)
				must(t, os.Mkdir(dir+"/sub", 0o755))
				cmdtest.Put(t, dir+"/sub", "inside.txt", "")
				r, w := channel(t, kind)
				defer w.Close()
				go func() {
					for i, piece := range c.pieces {
						if i > 0 {
							time.Sleep(300 * time.Millisecond) //nolint:forbidigo // the pause is the subject
						}
						_, _ = w.WriteString(piece) // the answer says what was read
					}
				}()
				a := calledWith(t, dir, stdin{file: r}, c.tool)
				if text := fmt.Sprint(a.Data, a.Error); !strings.Contains(text, c.want) {
					t.Errorf("%.300q", text)
				}
			})
		}
	}
}

// channel returns the two ends of a pipe, or of a pair of sockets.
func channel(t *testing.T, kind string) (r, w *os.File) {
	t.Helper()
	if kind == "pipe" {
		r, w, err := os.Pipe()
		must(t, err)
		return r, w
	}
	p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	return os.NewFile(uintptr(p[0]), "socket"), os.NewFile(uintptr(p[1]), "socket")
}
