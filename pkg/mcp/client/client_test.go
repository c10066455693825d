package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
)

func blocks(texts ...string) (all []json.RawMessage) {
	for _, t := range texts {
		all = append(all, json.RawMessage(t))
	}
	return all
}

func TestCall(t *testing.T) {
	p, over := pool(t)
	s := server(t, "whole")
	offer, err := p.Fetch(t.Context(), s)
	if err != nil || len(offer.Tools) != 1 || offer.Tools[0].Name != "echo" || offer.Protocol < "2026" || offer.Name != "whole" {
		t.Fatalf("%+v %v", offer, err)
	}
	heard := make(chan string, 8)
	a, err := p.Call(t.Context(), s, "echo", json.RawMessage(`{"text":"<ä>"}`), func(done, total float64, message string) {
		heard <- message
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(blocks(`{"type":"text","text":"<ä>"}`), a.Content, cmp.Transformer("text", func(b json.RawMessage) any { var v any; _ = json.Unmarshal(b, &v); return v })); d != "" {
		t.Error(d)
	}
	if len(over) > 0 {
		t.Error("the server was not kept")
	}
	p.Close()
	if r := <-over; r.ExitCode != 0 || r.Ended != run.NoReason || len(r.Killed) > 0 {
		t.Errorf("it ended as %+v", r)
	}
	if _, err := p.Call(t.Context(), s, "echo", nil, nil); !fault.Is(err, fault.Canceled) {
		t.Errorf("a closed pool: %v", err)
	}
}

func TestServersThatFail(t *testing.T) {
	for name, want := range map[string]struct {
		code fault.Code
		says []string
	}{
		"exits":   {fault.Unavailable, []string{"status 3", "no such module: left-pad"}},
		"dies":    {fault.Unavailable, []string{"status 7", "out of cheese"}},
		"endless": {fault.TooLarge, []string{"16777216"}},
		"closes":  {fault.Unavailable, []string{"closed its output"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, over := pool(t)
			for range 2 { // the second starts it anew
				_, err := p.Call(t.Context(), server(t, name), "any", nil, nil)
				if !fault.Is(err, want.code) {
					t.Fatalf("%v", err)
				}
				text := err.Error() + fault.As(err).Hint.In(fault.English)
				for _, w := range want.says {
					if !strings.Contains(text, w) {
						t.Errorf("%q does not say %q", text, w)
					}
				}
				<-over
			}
		})
	}
}

func TestMute(t *testing.T) {
	t.Parallel()
	p, over := pool(t)
	p.Start = time.Second
	_, err := p.Call(t.Context(), server(t, "mute"), "any", nil, nil)
	if !fault.Is(err, fault.Timeout) || !strings.Contains(fault.As(err).Hint.In(fault.English), "waiting for a licence") {
		t.Fatalf("%v", err)
	}
	if r := <-over; r.Signal == "" {
		t.Errorf("it ended as %+v", r)
	}
}

func TestNoise(t *testing.T) {
	t.Parallel()
	p, _ := pool(t)
	for range 2 {
		a, err := p.Call(t.Context(), server(t, "noisy"), "any", nil, nil)
		if err != nil || len(a.Content) != 1 || !strings.Contains(string(a.Content[0]), "done") {
			t.Fatalf("%+v %v", a, err)
		}
		if len(a.Warnings) != 1 {
			t.Fatalf("warnings: %v", a.Warnings)
		}
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	p, over := pool(t)
	s := server(t, "hangs")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := p.Call(ctx, s, "hang", nil, func(float64, float64, string) {})
		done <- err
	}()
	until := func(status string) {
		for {
			a, err := p.Call(t.Context(), s, "status", nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(a.Content[0]), status) {
				return
			}
		}
	}
	until("called true, canceled false")
	cancel()
	if err := <-done; !fault.Is(err, fault.Canceled) {
		t.Fatal(err)
	}
	until("called true, canceled true") // the same process
	late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := p.Call(late, s, "hang", nil, nil); !fault.Is(err, fault.Timeout) {
		t.Fatal(err)
	}
	until("called false, canceled false") // another one, since that may hang
	<-over
}

func TestOlder(t *testing.T) {
	t.Parallel()
	p, _ := pool(t)
	p.probe = time.Millisecond
	a, err := p.Call(t.Context(), server(t, "older"), "any", nil, nil)
	if err != nil || len(a.Content) != 1 {
		t.Fatalf("%+v %v", a, err)
	}
}

// A server that has not started yet is not taken for one that does not know the question.
func TestLate(t *testing.T) {
	t.Parallel()
	p, _ := pool(t)
	p.probe = time.Millisecond
	a, err := p.Call(t.Context(), server(t, "late"), "any", nil, nil)
	if err != nil || len(a.Content) != 1 {
		t.Fatalf("%+v %v", a, err)
	}
}

// The line that says what went wrong is not always the last one.
func TestTelling(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"":                     "",
		"starting\nno licence": "no licence",
		"node:internal/modules/cjs/loader:1148\n  throw err;\n\nError: Cannot find module 'x'\n    at a (b:1:2) {\n  code: 'X'\n}\n\nNode.js v20.1.0": "Error: Cannot find module 'x'",
		"Uncaught TypeError: y is not a function\n    at z\n\nNode.js v20":                                                                            "Uncaught TypeError: y is not a function",
		"Traceback (most recent call last):\n  File \"a\"\nModuleNotFoundError: No module named 'q'\nsys:1: RuntimeWarning: later":                    "ModuleNotFoundError: No module named 'q'",
		"Error [ERR_MODULE_NOT_FOUND]: Cannot find package\n    at x\nNode.js v20":                                                                    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package",
		"error: no such option\nusage: x":              "error: no such option",
		"java.lang.IllegalStateException: bad\n\tat a": "java.lang.IllegalStateException: bad",
		"Error handling is on: ready":                  "Error handling is on: ready",
		"panic: no licence\nin /etc\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:5 +0x18\nexit status 2":                     "panic: no licence",
		"panic: a [recovered]\n\tpanic: b\n\ngoroutine 1 [running]:\nmain.(*Error).Close(0x1)\n\t/src/main.go:5 +0x18":                 "panic: b",
		"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [select (no cases)]:\nmain.main()\n\t_testmain.go:94 +0xa5": "fatal error: all goroutines are asleep - deadlock!",
		"SIGQUIT: quit\nPC=0x47 m=0\n\ngoroutine 0 [idle]:\nruntime.futex()\n\t/go/sys.s:557 +0x21":                                    "SIGQUIT: quit",
		"starting\nmain.main()\n\t/src/main.go:5 +0x18\n":                                                                              "starting",
		"Exception in thread \"main\" java.lang.RuntimeException: bad\n\tat a(A.java:1)":                                               "Exception in thread \"main\" java.lang.RuntimeException: bad",
		"Unhandled exception. System.InvalidOperationException: bad\n   at A.Main()":                                                   "Unhandled exception. System.InvalidOperationException: bad",
		"x.rb:1:in 'Object#a': bad (RuntimeError)\n\tfrom x.rb:3:in '<main>'\n":                                                        "x.rb:1:in 'Object#a': bad (RuntimeError)",
	} {
		if got := telling(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestNobodyIsAsked(t *testing.T) {
	t.Parallel()
	p, _ := pool(t)
	a, err := p.Call(t.Context(), server(t, "asks"), "any", nil, nil)
	if err != nil || !strings.Contains(string(a.Content[0]), "refused") {
		t.Fatalf("%+v %v", a, err)
	}
}

func TestResultAsSent(t *testing.T) {
	t.Parallel()
	p, _ := pool(t)
	a, err := p.Call(t.Context(), server(t, "odd"), "any", nil, nil)
	want := &Answer{Content: blocks(`{"type":"hologram","z":1,"a":2}`), Structured: json.RawMessage(`{"z":12345678901234567890,"a":null}`), IsError: true}
	if d := cmp.Diff(want, a, cmp.AllowUnexported(fault.Text{})); d != "" || err != nil {
		t.Fatal(d, err)
	}
}

func TestOddTools(t *testing.T) {
	t.Parallel()
	p, _ := pool(t)
	o, err := p.Fetch(t.Context(), server(t, "tools"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range o.Tools {
		names = append(names, tool.Name)
	}
	if d := cmp.Diff([]string{"good", "last"}, names); d != "" {
		t.Error(d)
	}
	if got := o.Tools[0]; got.Description != "line\nline[2J" || !strings.Contains(string(got.Input), `"z":{"type":"integer","maximum":12345678901234567890},"a"`) || got.Annotations.ReadOnly == nil {
		t.Errorf("%+v %s", got, got.Input)
	}
	if o.Tools[1].Output != nil {
		t.Errorf("%s", o.Tools[1].Output)
	}
	if len(o.Warnings) != 10 {
		t.Errorf("%d warnings: %v", len(o.Warnings), o.Warnings)
	}
}

func TestOneServerForAll(t *testing.T) {
	t.Parallel()
	p, over := pool(t)
	s := server(t, "whole")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			want := fmt.Sprint("call ", i)
			a, err := p.Call(t.Context(), s, "echo", json.RawMessage(`{"text":"`+want+`"}`), nil)
			if err != nil || !strings.Contains(string(a.Content[0]), `"`+want+`"`) {
				t.Errorf("%d: %+v %v", i, a, err)
			}
		})
	}
	all.Wait()
	p.Close()
	if len(over) != 1 {
		t.Errorf("%d servers", len(over))
	}
}

func TestIdle(t *testing.T) {
	t.Parallel()
	p, over := pool(t)
	p.idle = time.Millisecond
	for range 2 {
		if _, err := p.Call(t.Context(), server(t, "noisy"), "any", nil, nil); err != nil {
			t.Fatal(err)
		}
		<-over // nobody closes the pool
	}
}

// TestCloseDuringCall closes a pool while a server is being started, and while it is called.
func TestCloseDuringCall(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"mute", "hangs"} {
		p, _ := pool(t)
		starts := make(chan struct{})
		command := p.Command
		p.Command = func(ctx context.Context, s *upstream.Server) (run.Command, error) {
			c, err := command(ctx, s)
			c.Started = func() { close(starts) }
			return c, err
		}
		done := make(chan error)
		go func() {
			_, err := p.Call(t.Context(), server(t, name), "hang", nil, nil)
			done <- err
		}()
		<-starts
		p.Close()
		if err := <-done; !fault.Is(err, fault.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
