package line

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tools"
)

// TestSilentInput refuses a standard input that is open and silent: for ten seconds at
// first, for a minute once it has begun.
func TestSilentInput(t *testing.T) {
	for _, c := range []struct {
		begun   string
		pause   time.Duration
		enough  func([]byte) bool
		want    string // "" is a fault
		patient time.Duration
	}{
		{"", time.Hour, nil, "", 10 * time.Second},
		{"", 9 * time.Second, nil, "}", 9 * time.Second},
		{"{", 50 * time.Second, nil, "{}", 50 * time.Second},
		{"{", time.Hour, nil, "", time.Minute},
		{"{", time.Hour, oneObject, "", time.Minute},
		{" {}\n", time.Hour, oneObject, " {}\n", 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			go func() {
				if c.begun != "" {
					_, _ = io.WriteString(w, c.begun)
				}
				<-time.After(c.pause)
				_, _ = w.Write([]byte("}")) // the reader may have given up
				_ = w.Close()
			}()
			start := time.Now()
			text, err := AwaitStdin(t.Context(), r, c.enough)
			took := time.Since(start)
			if c.want == "" && !fault.Is(err, fault.Usage) || c.want != "" && (err != nil || string(text) != c.want) || took != c.patient {
				t.Errorf("%q, then %v: %q, %v after %v", c.begun, c.pause, text, err, took)
			}
			_, _ = io.Copy(io.Discard, r)
		})
	}
}

// TestSilenceBeforeCalls: of all tools without arguments, those that need none and only
// read run at once, and the others are refused: also with half an object. See [TestStdin].
func TestSilenceBeforeCalls(t *testing.T) {
	runs := 0
	for _, tool := range tools.Builtin() {
		for _, begun := range []string{"", `{"path":"a`} {
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				go func() { _, _ = io.WriteString(w, begun) }()
				start := time.Now()
				in := &Input{tool: tool, given: &Given{}, stdin: r, first: func(string) bool { return true }}
				text, err := in.Read(t.Context(), nil)
				took := time.Since(start)
				if len(in.missing()) == 0 && tool.MayRead() {
					runs++
					if err != nil || string(text) != "{}" || took != 0 {
						t.Errorf("%s, %q: %q, %v after %v", tool.Name, begun, text, err, took)
					}
				} else if want := map[bool]time.Duration{true: firstByteTimeout, false: idleTimeout}[begun == ""]; !fault.Is(err, fault.Usage) || took != want {
					t.Errorf("%s, %q: %q, %v after %v; want a refusal after %v", tool.Name, begun, text, err, took, want)
				}
				_, _ = r.Close(), w.Close()
			})
		}
	}
	if runs == 0 {
		t.Error("no tool does without arguments")
	}
}

// TestWaiting: a call that lacks nothing takes one object with its arguments, and
// leaves what is anything else.
func TestWaiting(t *testing.T) {
	large := `{"path":"` + strings.Repeat("a", 64<<10) + `"}`
	for _, c := range []struct {
		stdin, want string
		left        bool
	}{
		{"", "{}", false},
		{" \n", "{}", true}, // white space is nothing
		{`{"path":"a"}`, `{"path":"a"}`, false},
		{"\ufeff {\"path\":\"a\"}\n", "\ufeff {\"path\":\"a\"}\n", false},
		{"{\"pth\":1}\n", "{\"pth\":1}\n", false}, // nothing follows: the decoder refuses it
		{`{"path":`, `{"path":`, false},
		{`{'path': 'a'}`, `{'path': 'a'}`, false},
		{"{\"path\":\"a\"}\n{\"path\":\"b\"}\n", "{}", true},
		{"a.txt\nb.txt\n", "{}", true},
		{`["a"]`, "{}", true},
		{large, large, false},
		{`{"x":"` + large[10:], "{}", true},
	} {
		stdin := strings.NewReader(c.stdin)
		in := &Input{tool: Builtin("ls"), given: &Given{}, stdin: stdin}
		text, err := in.Read(t.Context(), nil)
		if want := map[bool]int{true: len(c.stdin)}[c.left]; err != nil || string(text) != c.want || stdin.Len() != want {
			t.Errorf("%.40q: %.40q, %v; %d bytes left, want %d", c.stdin, text, err, stdin.Len(), want)
		}
		if warned := len(in.warnings) > 0; warned != (c.left && strings.TrimSpace(c.stdin) != "") {
			t.Errorf("%.40q: %v", c.stdin, in.warnings)
		}
	}
}

// TestJudge: where more may follow, only an object that names an argument is taken, and it
// is read on as soon as it names one.
func TestJudge(t *testing.T) {
	in := &Input{tool: Builtin("ls")}
	for text, want := range map[string][2]content{ // it has ended; it may go on
		`{}`:                                {whole, whole},
		`{"path":"a"}`:                      {whole, whole},
		`{"pth":"a"}`:                       {whole, foreign},
		`{"jsonrpc":"2.0","method":"ping"}`: {whole, foreign},
		`{"jsonrpc":"2.0","method":`:        {whole, unclear},
		`{"path":"a"`:                       {whole, begun},
		`{"path"`:                           {whole, begun},
		`{"x":{"path":1},"path":`:           {whole, begun},
		`{"x":{"path":`:                     {whole, unclear},
		`{"pa`:                              {whole, unclear},
		`{`:                                 {whole, unclear},
		`{'path': 'a'}`:                     {whole, unclear},
		`{"path":"a"}{"path":"b"}`:          {foreign, foreign},
		"{\"path\":\"a\"}\n{":               {foreign, foreign},
		`null`:                              {foreign, foreign},
		`x`:                                 {foreign, foreign},
	} {
		for i, ended := range []bool{true, false} {
			if got := in.judge(process.Waiting{All: true, Ended: ended}, []byte(text)); got != want[i] {
				t.Errorf("%s, ended %v: %v, want %v", text, ended, got, want[i])
			}
		}
	}
}

// TestCompleteCallsReadNothing: a call that has its arguments does not even look at
// standard input.
func TestCompleteCallsReadNothing(t *testing.T) {
	field := func(tool, name, value string) *Given {
		m := &Given{}
		f, _ := Builtin(tool).Schema().Field(name)
		if err := (&Argument{m, f}).Set(value); err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, c := range []struct {
		tool, want string
		given      *Given
		args       []string
	}{
		{"read", `{"path":"a"}`, &Given{}, []string{"a"}},
		{"ls", `{"depth":2}`, field("ls", "depth", "2"), nil},
		{"patch", `{"patch":"x"}`, field("patch", "patch", "x"), nil},
		{"write", `{"content":"x","path":"a"}`, field("write", "content", "x"), []string{"a"}},
		{"edit", `{"path":"a","old_text":"b","new_text":""}`, &Given{}, []string{"a", "b", ""}},
		{"grep", `{"pattern":"b","path":"a"}`, &Given{}, []string{"b", "a"}},
		{"undo", `{"steps":2}`, &Given{}, []string{`{"steps":2}`}},
		{"read", `[{"path":"a"}]`, &Given{}, []string{`[{"path":"a"}]`}},
		{"read", `{"path":"[{\"paths\":1}, 2]"}`, &Given{}, []string{`[{"paths":1}, 2]`}},
		{"grep", `{"pattern":"[{\"a\":1}]"}`, &Given{}, []string{`[{"a":1}]`}}, // a pattern
	} {
		in := &Input{tool: Builtin(c.tool), given: c.given, stdin: unreadable{t}}
		if text, err := in.Read(t.Context(), c.args); err != nil || string(text) != c.want {
			t.Errorf("%s %v: %s, %v", c.tool, c.args, text, err)
		}
	}
}

type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("standard input was read")
	return 0, io.EOF
}

// TestRawInput: what is on standard input is the object, or the text of the one
// argument that is missing.
func TestRawInput(t *testing.T) {
	utf16 := "\xff\xfe-\x00-\x00 \x00a\x00"
	for _, c := range []struct {
		tool, stdin string
		args        []string
		want        string // "" is a fault
	}{
		{"patch", " {\"patch\":\"x\"}", nil, " {\"patch\":\"x\"}"},
		{"patch", "--- a\n+++ b\n", nil, `{"patch":"--- a\n+++ b\n"}`},
		{"patch", "--- a\n", []string{"-"}, `{"patch":"--- a\n"}`},
		{"patch", utf16, nil, `{"patch":"-- a"}`},
		{"patch", "", nil, `{}`},
		{"patch", "\x00\x01\x02\xff", nil, ""},
		{"write", "{\"a\":1}", []string{"a.json"}, `{"path":"a.json","content":"{\"a\":1}"}`},
		{"write", "x\n", []string{"a", "-"}, `{"path":"a","content":"x\n"}`},
		{"write", "", []string{"a", "-"}, `{"path":"a","content":""}`},
		{"write", "", []string{"a"}, `{"path":"a"}`}, // nobody meant to empty the file
		{"write", "{\"path\":\"a\"}", nil, `{"path":"a"}`},
		{"write", "x", []string{"a", "x"}, ""},
		{"write", "x", []string{"a", "-", "x"}, ""},
		{"read", "[]", nil, "[]"},
		{"read", "a.txt\nb.txt\n", nil, "{}"}, // a loop's list
		{"exec", "ls\n", nil, "{}"},
		{"exec", `{"command":"ls"}`, nil, `{"command":"ls"}`},
		{"undo", `{"id":"a"}`, nil, `{"id":"a"}`},
		{"undo", "a\nb\n", nil, "{}"},
		{"undo", "{\"id\":\"a\"}\n{\"id\":\"b\"}\n", nil, ""},
		{"read", "\xff\xfe{\x00}\x00", nil, "{}"},
		{"read", "{\x00}\x00", nil, "{}"},
		{"read", "\xfe\xff\x00{\x00}", nil, "{}"},
	} {
		in := &Input{tool: Builtin(c.tool), given: &Given{}, stdin: strings.NewReader(c.stdin)}
		text, err := in.Read(t.Context(), c.args)
		if c.want == "" && err == nil || c.want != "" && (err != nil || string(text) != c.want) {
			t.Errorf("%s %v < %q: %s, %v; want %s", c.tool, c.args, c.stdin, text, err, c.want)
		}
	}
}

// TestInputIsBounded reads no more of standard input than the decoder takes and a
// byte by which it sees that there was more.
func TestInputIsBounded(t *testing.T) {
	text, err := AwaitStdin(t.Context(), io.MultiReader(bytes.NewReader(make([]byte, 40<<20))), nil)
	if err != nil || len(text) <= 32<<20 || len(text) > 32<<20+8<<10 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
