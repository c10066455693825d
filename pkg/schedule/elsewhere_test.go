package schedule

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// A store that hosts share has jobs of workspaces that a scheduler does not have. It
// leaves them to others, unless they only send a message.
func TestElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		theirs := w.every(10)
		theirs.Root = "/theirs"
		theirs = w.add(theirs)
		message := w.in(5 * time.Second)
		message.Root, message.Action = "/theirs", Action{Message: "hi"}
		message = w.add(message)

		here, there := w.scheduler(), w.scheduler()
		here.opt.Takes = func(j *Job) bool { return j.Root == "/ours" }
		stop := w.background(here)
		w.sleep(15 * time.Second)
		if n := statuses(w.history(message.ID)); n[OK] != 1 {
			t.Errorf("the message: %v", n)
		}
		if runs := w.history(theirs.ID); len(runs) != 0 {
			t.Errorf("a job of another workspace: %v", runs)
		}
		byHand := w.scheduler()
		byHand.opt.Takes = here.opt.Takes
		if _, err := byHand.RunNow(t.Context(), theirs.ID); !fault.Is(err, fault.OutsideWorkspace) {
			t.Errorf("run by hand: %v", err)
		}
		stop()
		stop = w.background(there)
		w.sleep(10 * time.Second)
		stop()
		if n := statuses(w.history(theirs.ID)); n[OK] == 0 {
			t.Errorf("where it belongs: %v", n)
		}
	})
}
