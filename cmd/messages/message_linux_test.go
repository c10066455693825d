package messages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/bus"
)

// Processes that send beside each other, some of which are killed: what was reported is
// there once, nothing is there twice, and each sender's messages are in its order.
func TestMessagesSurviveKills(t *testing.T) {
	t.Parallel()
	const senders, each = 6, 8
	dir := cmdtest.Workspace(t)
	cmdtest.Setenv(dir, "HELVE_CHANNEL=telegram", "HELVE_CHAT=42", "HELVE_TURN=1")
	cmdtest.Put(t, dir, "a.txt", "attached")
	var mu sync.Mutex
	reported := map[string]string{} // id by content
	random := rand.New(rand.NewPCG(1, 2))
	var running sync.WaitGroup
	for sender := range senders {
		running.Go(func() {
			for n := range each {
				text := fmt.Sprintf("%d %d", sender, n)
				p := cmdtest.Helve(dir, "message", `{"content":"`+text+`","media":["a.txt"]}`)
				var out bytes.Buffer
				p.Stdout = &out
				mu.Lock()
				patience := time.Duration(random.IntN(60)) * time.Millisecond
				mu.Unlock()
				if err := p.Start(); err != nil {
					t.Error(err)
					return
				}
				stop := func() bool { return true }
				if n%3 == 1 {
					stop = time.AfterFunc(patience, func() { _ = p.Process.Kill() }).Stop // it may have ended
				}
				err := p.Wait()
				stop()
				var a cmdtest.Answer
				if json.Unmarshal(out.Bytes(), &a) != nil || !a.OK {
					if n%3 != 1 {
						t.Errorf("%s: %v, %s", text, err, out.String())
					}
					continue
				}
				mu.Lock()
				reported[text] = a.Data["id"].(string)
				mu.Unlock()
			}
		})
	}
	running.Wait()
	if len(reported) < senders*each/2 {
		t.Fatalf("only %d messages were sent", len(reported))
	}
	cmdtest.Put(t, dir, "a.txt", "changed")

	h := cmdtest.HostOf(dir)
	defer h.Close()
	b, err := h.Bus()
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Receive(t.Context(), bus.ReceiveOptions{Consumer: "c", Max: bus.MaxReceive})
	if err != nil {
		t.Fatal(err)
	}
	newest := make([]int, senders)
	seen := map[string]bool{}
	for _, m := range got {
		sender, n, ok := strings.Cut(m.Content, " ")
		s, err1 := strconv.Atoi(sender)
		i, err2 := strconv.Atoi(n)
		if !ok || err1 != nil || err2 != nil || s >= senders {
			t.Fatalf("%q was never sent", m.Content)
		}
		if seen[m.Content] || i+1 <= newest[s] {
			t.Errorf("%q comes twice, or after a later one", m.Content)
		}
		seen[m.Content], newest[s] = true, i+1
		if id, was := reported[m.Content]; was && id != m.ID {
			t.Errorf("%q has the id %s, and %s was reported", m.Content, m.ID, id)
		}
		if m.Session != "default" || m.Turn != "1" || len(m.Media) != 1 {
			t.Errorf("%+v", m)
		} else if content, err := os.ReadFile(m.Media[0].Kept); string(content) != "attached" {
			t.Errorf("the file: %q, %v", content, err)
		}
		delete(reported, m.Content)
	}
	if len(reported) > 0 {
		t.Errorf("reported, and not there: %v of %v", reported, slices.Sorted(slices.Values(contents(got))))
	}
}

func contents(messages []bus.Message) (all []string) {
	for _, m := range messages {
		all = append(all, m.Content)
	}
	return all
}
