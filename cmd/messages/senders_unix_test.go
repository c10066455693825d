//go:build unix

package messages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// outgoing is one message of a sender, and what became of its process.
type outgoing struct {
	to, content string
	ok          bool // it printed that it is kept
	killed      bool
}

// TestKilledSenders kills processes that send at random moments: what was reported as
// sent is there once, in the order of each sender. HELVE_TEST_SENDERS sets how many
// send at once.
func TestKilledSenders(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	if _, err := cmdtest.Program(); err != nil {
		t.Fatal(err)
	}
	senders, each := 20, 4
	if n, err := strconv.Atoi(os.Getenv("HELVE_TEST_SENDERS")); err == nil {
		senders = n
	}
	all := make([][]outgoing, senders)
	var group sync.WaitGroup
	for i := range senders {
		group.Go(func() {
			for k := range each {
				one := outgoing{to: fmt.Sprint("chat", i), content: fmt.Sprintf("%d of %d", k, i)}
				c := cmdtest.Person(t, dir, "message", "--channel", "test", "--to", one.to, "--content", one.content, "--session", one.to)
				var out bytes.Buffer
				c.Stdout = &out
				if err := c.Start(); err != nil {
					t.Error(err)
					return
				}
				// At any moment of its work beside so many others.
				moment := time.Duration(rand.Int64N(int64(senders) * int64(6*time.Millisecond)))
				kill := time.AfterFunc(moment, func() { _ = c.Process.Kill() }) // it may have ended
				if k%2 == i%2 {
					kill.Stop()
				}
				_ = c.Wait() // its answer says how it ended, if there is one
				kill.Stop()
				one.killed = c.ProcessState.ExitCode() == -1
				var a cmdtest.Answer
				one.ok = json.Unmarshal(out.Bytes(), &a) == nil && a.OK
				if !one.ok && !one.killed {
					t.Errorf("%s failed: %s", one.content, out.Bytes())
				}
				all[i] = append(all[i], one)
			}
		})
	}
	group.Wait()
	checkSent(t, dir, all)
}

// checkSent compares what was sent with what a consumer receives.
func checkSent(t *testing.T, dir string, all [][]outgoing) {
	t.Helper()
	last, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "message", "--channel", "test", "--to", "end", "--content", "the end"))
	if !last.OK {
		t.Fatalf("nothing can be sent afterwards: %+v", last)
	}
	there := map[string][]string{} // what is in each conversation, in its order
	for _, m := range cmdtest.Received(t, dir) {
		to := m["to"].(string)
		there[to] = append(there[to], m["content"].(string))
	}
	ok, killed, kept := 0, 0, 0
	for _, messages := range all {
		got := there[messages[0].to]
		for _, one := range messages {
			if one.killed {
				killed++
			}
			found := len(got) > 0 && got[0] == one.content
			if found {
				got = got[1:]
			}
			switch {
			case one.ok && !found:
				t.Errorf("%q was reported as sent, and is not in its place: %q", one.content, there[one.to])
			case one.ok:
				ok++
			case found:
				kept++
			}
		}
		if len(got) > 0 {
			t.Errorf("doubled, or in another order: %q of %q", got, there[messages[0].to])
		}
	}
	t.Logf("%d were reported as sent and are there; of %d that were killed, %d are there too", ok, killed, kept)
	if ok == 0 {
		t.Error("none was sent")
	}
}
