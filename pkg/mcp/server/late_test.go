package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/mcp/server"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// spoken is a client at the end of pipes, which reads message by message.
type spoken struct {
	t      *testing.T
	say    *io.PipeWriter
	lines  *bufio.Reader
	served chan error
}

func speak(t *testing.T, o server.Options) *spoken {
	in, say := io.Pipe()
	heard, out := io.Pipe()
	s := &spoken{t, say, bufio.NewReader(heard), make(chan error, 1)}
	go func() { s.served <- server.New(o).Serve(t.Context(), in, out); _ = out.Close() }()
	s.write(initialize)
	s.next("begin")
	return s
}

func (s *spoken) write(line string) {
	if _, err := io.WriteString(s.say, line+"\n"); err != nil {
		s.t.Error(err)
	}
}

// next returns the next message with an id, or the next question if id is "".
func (s *spoken) next(id string) (m rpc) {
	for {
		line, err := s.lines.ReadBytes('\n')
		if err != nil {
			s.t.Fatal(err)
		}
		m = rpc{}
		if err := json.Unmarshal(line, &m); err != nil {
			s.t.Fatalf("%v: %s", err, line)
		}
		if id == "" && m.Method == "elicitation/create" || id != "" && m.Method == "" && strings.Trim(string(m.ID), `"`) == id {
			return m
		}
	}
}

// call makes a call of the tool slow, and returns its result and the time that it took.
func (s *spoken) call(id int, arguments string) (string, time.Duration) {
	began := time.Now()
	s.write(callOf(id, "slow", arguments))
	return string(s.next(fmt.Sprint(id)).Result), time.Since(began)
}

func (s *spoken) end() {
	_ = s.say.Close() // it cannot fail
	go func() { _, _ = io.Copy(io.Discard, s.lines) }()
	if err := <-s.served; err != nil {
		s.t.Error(err)
	}
}

// lengthy is a tool that takes so many seconds.
func lengthy(made *atomic.Int64) tools.Custom {
	return tools.Custom{Name: "slow", Tool: tool.New(tool.Def[entry, entry]{Name: "slow", Risk: policy.Write, Doc: "Take long.", Timeout: 10 * time.Minute,
		Run: func(ctx context.Context, _ *tool.Call, a entry) (entry, error) {
			if err := pass(ctx, a.Long); err != nil {
				return entry{}, err
			}
			made.Add(1)
			return a, nil
		}})}
}

// TestLate: a call that takes longer than its client waits is answered in time and goes on;
// the same call, made again, waits for it and gets its result, once, and the next answer
// says that there is one. Calls behind it keep their order.
func TestLate(t *testing.T) {
	var made atomic.Int64
	a := newAsking(t, lengthy(&made))
	a.options.AnswerWithin = 50 * time.Second
	synctest.Test(t, func(t *testing.T) {
		s := speak(t, a.options)
		const long, other = `{"n":7,"path":"a","long":120}`, `{"n":8,"path":"a","long":1}`
		for i, want := range []string{"goes on", "goes on", `n`} {
			got, took := s.call(i, long)
			if !strings.Contains(got, want) || took > 50*time.Second || strings.Contains(got, `"isError":true`) {
				t.Errorf("%d, after %v: %s", i, took, got)
			}
			if strings.Contains(got, "goes on") != (i < 2) {
				t.Errorf("%d: %s", i, got)
			}
		}
		if n := made.Load(); n != 1 {
			t.Errorf("it was carried out %d times", n)
		}
		s.call(10, long)
		if got, _ := s.call(11, other); made.Load() != 1 || !strings.Contains(got, "goes on") {
			t.Errorf("a call did not wait for that before it: %s", got)
		}
		time.Sleep(time.Minute) //nolint:forbidigo // of the bubble's clock
		if got, _ := s.call(12, `{"n":9,"path":"b"}`); strings.Count(got, "make the same call again to get its result") != 2 {
			t.Errorf("nothing is said of what has ended: %s", got)
		}
		if got, took := s.call(13, other); took > time.Second || strings.Contains(got, "goes on") || made.Load() != 4 {
			t.Errorf("%d, after %v: %s", made.Load(), took, got)
		}
		if _, took := s.call(14, `{"n":7,"path":"a","long":120.0}`); took > time.Second {
			t.Errorf("the result was not kept, after %v", took)
		}
		s.call(15, long)
		s.end() // which nobody waits for
	})
	if n := made.Load(); n != 4 {
		t.Errorf("%d calls were carried out", n)
	}
}

// TestLateCanceled: what the client cancels before it is answered ends, and what it cancels
// while it waits for a call that was answered goes on.
func TestLateCanceled(t *testing.T) {
	var made atomic.Int64
	a := newAsking(t, lengthy(&made))
	a.options.AnswerWithin = 50 * time.Second
	synctest.Test(t, func(t *testing.T) {
		s := speak(t, a.options)
		s.write(callOf(1, "slow", `{"n":1,"long":100}`))
		synctest.Wait()
		s.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		s.call(2, `{"n":2,"long":100}`)
		s.write(callOf(3, "slow", `{"n":2,"long":100}`))
		synctest.Wait()
		s.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
		time.Sleep(time.Minute) //nolint:forbidigo // of the bubble's clock
		if got, took := s.call(4, `{"n":2,"long":100}`); took > time.Second || strings.Contains(got, "goes on") {
			t.Errorf("after %v: %s", took, got)
		}
		s.end()
	})
	if n := made.Load(); n != 1 {
		t.Errorf("%d calls were carried out", n)
	}
}

// TestLatePerson: a call whose person takes longer than the client waits is answered in
// time with the request; the form stays open, and what the person then decides counts, as
// does what is decided elsewhere. The person is asked once.
func TestLatePerson(t *testing.T) {
	for _, decision := range []string{"allow", "deny", "elsewhere"} {
		a := newAsking(t)
		a.options.AnswerWithin = 50 * time.Second
		synctest.Test(t, func(t *testing.T) {
			s := speak(t, a.options)
			const arguments = `{"path":"a.txt","content":"x"}`
			s.write(callOf(1, "write", arguments))
			asked := s.next("")
			began := time.Now()
			got := string(s.next("1").Result)
			if took := time.Since(began); took > 50*time.Second || !strings.Contains(got, "waits for the person") || !strings.Contains(got, "helve approve ") {
				t.Errorf("after %v: %s", took, got)
			}
			if a.file("a.txt") != "" {
				t.Error("it was written without a decision")
			}
			s.write(callOf(2, "write", arguments))
			time.Sleep(time.Second) //nolint:forbidigo // of the bubble's clock
			if decision == "elsewhere" {
				all, err := a.store.List()
				if err != nil || len(all) != 1 {
					t.Fatalf("%v, %v", all, err)
				}
				if _, err := a.store.Approve(t.Context(), all[0].ID, "person"); err != nil {
					t.Fatal(err)
				}
			} else {
				s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"decision":%q}}}`, asked.ID, decision))
			}
			got = string(s.next("2").Result)
			if denied := strings.Contains(got, "(rejected)"); denied != (decision == "deny") || (a.file("a.txt") == "x\n") == denied {
				t.Errorf("%s: %s, %q", decision, got, a.file("a.txt"))
			}
			s.end()
		})
	}
}
