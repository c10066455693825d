package cmd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// nap returns a tool whose calls take a second.
func nap(name string, risk policy.Risk) *tool.Tool {
	return tool.New(tool.Def[struct{}, struct{}]{Name: name, Risk: risk, Doc: "Nap.", Run: func(context.Context, *tool.Call, struct{}) (struct{}, error) {
		<-time.After(time.Second)
		return struct{}{}, nil
	}})
}

// TestBatchInParallel runs consecutive calls that read eight at a time, and each
// call that writes alone.
func TestBatchInParallel(t *testing.T) {
	home(t)
	h := host.New(host.FromEnvironment())
	defer h.Close()
	env, _, err := h.Env()
	if err != nil {
		t.Fatal(err)
	}
	env.Decide = nil // the guard is not what is tested
	catalog, err := tools.New(tools.Options{Custom: func() []tools.Custom {
		return []tools.Custom{{Name: "nap", Tool: nap("nap", policy.Read)}, {Name: "turn", Tool: nap("turn", policy.Write)}}
	}})
	if err != nil {
		t.Fatal(err)
	}
	for calls, seconds := range map[string]int{
		strings.Repeat("nap ", 8):        1,
		strings.Repeat("nap ", 9):        2,
		strings.Repeat("turn ", 3):       3,
		"nap nap turn nap nap turn turn": 5,
	} {
		var b strings.Builder
		for i, name := range strings.Fields(calls) {
			fmt.Fprintf(&b, `,{"id":"%d","type":"function","function":{"name":"%s","arguments":"{}"}}`, i, name)
		}
		var took time.Duration
		synctest.Test(t, func(t *testing.T) {
			p := newPrinter(io.Discard, io.Discard)
			run := &batch{out: p, world: func() (*tool.Env, *tools.Catalog, error) { return env, catalog, nil }}
			begun := time.Now()
			if _, err := run.messages(t.Context(), []byte("["+b.String()[1:]+"]")); err != nil {
				t.Fatal(err)
			}
			took = time.Since(begun)
			if n := run.failures.Load(); n > 0 {
				t.Errorf("%s: %d failed", calls, n)
			}
		})
		if took != time.Duration(seconds)*time.Second {
			t.Errorf("%s: %v, want %d s", calls, took, seconds)
		}
	}
}

// TestLongLine refuses a line of more than 64 MiB.
func TestLongLine(t *testing.T) {
	for size, code := range map[int]fault.Code{64<<20 - 1: "", 64 << 20: fault.TooLarge} {
		lines, ended := scan(t.Context(), io.LimitReader(zeros{}, int64(size)))
		for line := range lines {
			if len(line) != size {
				t.Errorf("%d bytes: a line of %d", size, len(line))
			}
		}
		err := <-ended
		if (code == "") != (err == nil) || err != nil && !fault.Is(err, code) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestSilentInput refuses a standard input that is open and silent for ten
// seconds, but waits for one that has begun.
func TestSilentInput(t *testing.T) {
	for _, begun := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			go func() {
				if begun {
					_, _ = w.Write([]byte("{")) // the reader may have given up
				}
				<-time.After(time.Minute)
				_, _ = w.Write([]byte("}"))
				_ = w.Close()
			}()
			start := time.Now()
			text, err := awaitStdin(t.Context(), r)
			took := time.Since(start)
			if begun && (err != nil || string(text) != "{}" || took != time.Minute) || !begun && (!fault.Is(err, fault.Usage) || took != 10*time.Second) {
				t.Errorf("begun %v: %q, %v after %v", begun, text, err, took)
			}
			_, _ = io.Copy(io.Discard, r)
		})
	}
}

// TestSilenceBeforeReading: a call that lacks nothing and only reads is made without
// standard input after a second; one that changes something never is.
func TestSilenceBeforeReading(t *testing.T) {
	for _, c := range []struct {
		tool string
		runs bool
	}{{"ls", true}, {"find", true}, {"undo", false}, {"read", false}} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			start := time.Now()
			in := &input{tool: builtin(c.tool), given: &members{}, stdin: r}
			text, err := in.read(t.Context(), nil)
			took := time.Since(start)
			if c.runs && (err != nil || string(text) != "{}" || took != time.Second || len(in.warnings) != 1) ||
				!c.runs && (!fault.Is(err, fault.Usage) || took != 10*time.Second) {
				t.Errorf("%s: %q, %v, %v after %v", c.tool, text, err, in.warnings, took)
			}
			_ = w.Close()
		})
	}
}

// TestCompleteCallsReadNothing: a call that has its arguments does not even look at
// standard input.
func TestCompleteCallsReadNothing(t *testing.T) {
	field := func(tool, name, value string) *members {
		m := &members{}
		f, _ := builtin(tool).Schema().Field(name)
		if err := (&argument{m, f}).Set(value); err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, c := range []struct {
		tool, want string
		given      *members
		args       []string
	}{
		{"read", `{"path":"a"}`, &members{}, []string{"a"}},
		{"ls", `{"depth":2}`, field("ls", "depth", "2"), nil},
		{"patch", `{"patch":"x"}`, field("patch", "patch", "x"), nil},
		{"write", `{"content":"x","path":"a"}`, field("write", "content", "x"), []string{"a"}},
		{"edit", `{"path":"a","old_text":"b","new_text":""}`, &members{}, []string{"a", "b", ""}},
		{"grep", `{"pattern":"b","path":"a"}`, &members{}, []string{"b", "a"}},
		{"undo", `{"steps":2}`, &members{}, []string{`{"steps":2}`}},
	} {
		in := &input{tool: builtin(c.tool), given: c.given, stdin: unreadable{t}}
		if text, err := in.read(t.Context(), c.args); err != nil || string(text) != c.want {
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
	} {
		in := &input{tool: builtin(c.tool), given: &members{}, stdin: strings.NewReader(c.stdin)}
		text, err := in.read(t.Context(), c.args)
		if c.want == "" && err == nil || c.want != "" && (err != nil || string(text) != c.want) {
			t.Errorf("%s %v < %q: %s, %v; want %s", c.tool, c.args, c.stdin, text, err, c.want)
		}
	}
}

// TestInputIsBounded reads no more of standard input than the decoder takes and a
// byte by which it sees that there was more.
func TestInputIsBounded(t *testing.T) {
	text, err := awaitStdin(t.Context(), io.MultiReader(bytes.NewReader(make([]byte, 40<<20))))
	if err != nil || len(text) <= 32<<20 || len(text) > 32<<20+8<<10 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
