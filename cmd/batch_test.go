package cmd

import (
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
