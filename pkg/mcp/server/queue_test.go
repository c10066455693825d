package server_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/mcp/server"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// diary is a file that calls write to and read.
type diary struct {
	mu    sync.Mutex
	lines []int
	seen  map[int]int // by the calls that read, the lines that they saw
}

// entry is a call: what it writes, or the number by which it reads, and the seconds it takes.
type entry struct {
	N    int     `json:"n" doc:"Number."`
	Path string  `json:"path,omitzero" doc:"File." path:"write"`
	Long float64 `json:"long,omitzero" doc:"Seconds."`
}

// diaries are tools that take their time before they write, or read.
func (d *diary) tools() []tools.Custom {
	note := tool.New(tool.Def[entry, struct{}]{Name: "note", Risk: policy.Write, Doc: "Write.", Run: func(ctx context.Context, _ *tool.Call, a entry) (struct{}, error) {
		if err := pass(ctx, a.Long); err != nil {
			return struct{}{}, err
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.lines = append(d.lines, a.N)
		return struct{}{}, nil
	}})
	look := tool.New(tool.Def[entry, struct{}]{Name: "look", Risk: policy.Read, Doc: "Read.", Run: func(ctx context.Context, _ *tool.Call, a entry) (struct{}, error) {
		if err := pass(ctx, a.Long); err != nil {
			return struct{}{}, err
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.seen[a.N] = len(d.lines)
		return struct{}{}, nil
	}})
	return []tools.Custom{{Name: "note", Tool: note}, {Name: "look", Tool: look}}
}

// pass takes so many seconds.
func pass(ctx context.Context, seconds float64) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(seconds * float64(time.Second))):
		return nil
	}
}

// TestOrder draws turns at random whose calls come all at once: each sees what the calls
// before it have written, and nothing of those behind it.
func TestOrder(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		d := &diary{seen: map[int]int{}}
		a := newAsking(t, d.tools()...)
		lines, wrote, sees := []string{initialize}, []int{}, map[int]int{}
		for n := range 16 {
			name := []string{"note", "look"}[draw.IntN(2)]
			lines = append(lines, callOf(n, name, fmt.Sprintf(`{"n":%d,"long":%.2f}`, n, draw.Float64())))
			if name == "note" {
				wrote = append(wrote, n)
			} else {
				sees[n] = len(wrote)
			}
		}
		synctest.Test(t, func(t *testing.T) { said(t, a.options, lines...) })
		if !slices.Equal(d.lines, wrote) || fmt.Sprint(d.seen) != fmt.Sprint(sees) {
			t.Fatalf("wrote %v, want %v; saw %v, want %v", d.lines, wrote, d.seen, sees)
		}
	}
}

// TestOrderOfLongCalls: what takes long holds back only calls on its own paths.
func TestOrderOfLongCalls(t *testing.T) {
	d := &diary{seen: map[int]int{}}
	a := newAsking(t, d.tools()...)
	synctest.Test(t, func(t *testing.T) {
		said(t, a.options, initialize,
			callOf(1, "note", `{"n":1,"path":"a/b","long":30}`),
			callOf(2, "note", `{"n":2,"path":"a","long":1}`),
			callOf(3, "note", `{"n":3,"path":"c","long":1}`),
			callOf(4, "look", `{"n":4,"path":"c/d"}`),
			callOf(5, "note", `{"n":5,"path":"a/b"}`))
	})
	if want := []int{3, 1, 2, 5}; !slices.Equal(d.lines, want) || d.seen[4] != 1 {
		t.Errorf("%v, want %v; %v", d.lines, want, d.seen)
	}
}

// TestOrderOfCanceledCalls: a call that is canceled while it waits is not made, and holds
// back nothing.
func TestOrderOfCanceledCalls(t *testing.T) {
	d := &diary{seen: map[int]int{}}
	a := newAsking(t, d.tools()...)
	synctest.Test(t, func(t *testing.T) {
		in, say := io.Pipe()
		var out safeBuffer
		served := make(chan error, 1)
		go func() { served <- server.New(a.options).Serve(t.Context(), in, &out) }()
		write := func(line string) {
			if _, err := io.WriteString(say, line+"\n"); err != nil {
				t.Error(err)
			}
		}
		write(initialize)
		for n := 1; n <= 3; n++ {
			write(callOf(n, "note", `{"n":`+strconv.Itoa(n)+`,"long":1}`))
		}
		synctest.Wait()
		write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		_ = say.Close() // it cannot fail
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	if want := []int{1, 3}; !slices.Equal(d.lines, want) {
		t.Errorf("%v, want %v", d.lines, want)
	}
}
