package worker

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
)

// What was stopped is no success, unless it was done; and no failure is told as another.
func TestStopped(t *testing.T) {
	why := fault.New(fault.Unavailable, fault.T("why"))
	own := errors.New("own")
	failed := agent.Outcome{Status: agent.Failed, Reason: agent.ByModel, Result: "part", Err: own}
	done := agent.Outcome{Status: agent.Completed, Result: "all"}
	fails, again := &agent.Job{}, &agent.Job{OnLost: agent.LostRerun}
	for _, one := range []struct {
		how  stop
		o    agent.Outcome
		j    *agent.Job
		want agent.Outcome
	}{
		{notStopped, failed, again, failed},
		{canceled, failed, fails, agent.Outcome{Status: agent.Canceled, Result: "part"}},
		{late, failed, fails, agent.Outcome{Status: agent.Incomplete, Reason: agent.ByTimeout, Result: "part"}},
		{ended, failed, fails, agent.Outcome{Status: agent.Failed, Reason: agent.BySystem, Result: "part", Err: why}},
		{ended, failed, again, agent.Outcome{Status: agent.Lost, Result: "part", Err: why}},
		{canceled, done, fails, done},
		{late, done, fails, done},
		{ended, done, again, done},
	} {
		got := one.how.outcome(one.o, one.j, why)
		if got != one.want {
			t.Errorf("%d: %+v, want %+v", one.how, got, one.want)
		}
		if d := cmp.Diff(faultText(got.Err), faultText(outcomeOf(got).outcome().Err)); d != "" {
			t.Error(d)
		}
	}
}

func faultText(err error) string {
	if err == nil {
		return ""
	}
	e := fault.As(err)
	return string(e.Code) + e.Message.String() + e.Hint.String()
}

// The processes of a job that runs again are not those of one that has died.
func TestOver(t *testing.T) {
	jobs := []agent.Job{{ID: "a", Status: agent.Lost}, {ID: "b", Status: agent.Working, Queued: true}, {ID: "c", Status: agent.Canceled}}
	if d := cmp.Diff([]string{"a", "c"}, over(jobs)); d != "" {
		t.Error(d)
	}
}

// What may pass is tried again, with longer and longer pauses, and not for ever.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := fault.New(fault.IOError, fault.T("no space left"))
		begin, n := time.Now(), 0
		if err := usual().patiently(t.Context(), func(context.Context) error {
			n++
			return full
		}); err != full { //nolint:errorlint // it is that one
			t.Error(err)
		}
		if took := time.Since(begin); took < time.Hour || took > time.Hour+2*longestPause || n > 100 {
			t.Errorf("%d times in %s", n, took)
		}
		begin, n = time.Now(), 0
		if err := usual().patiently(t.Context(), func(context.Context) error {
			if n++; n < 10 {
				return full
			}
			return nil
		}); err != nil || time.Since(begin) > 2*time.Minute {
			t.Errorf("%v after %s", err, time.Since(begin))
		}
		n = 0
		damaged := fault.New(fault.BadDocument, fault.T("damaged"))
		if err := usual().patiently(t.Context(), func(context.Context) error {
			n++
			return damaged
		}); err != damaged || n != 1 { //nolint:errorlint // it is that one
			t.Errorf("%v, %d times", err, n)
		}
	})
}

// FuzzWords looks for what tells most in what a program may have printed.
func FuzzWords(f *testing.F) {
	f.Add([]byte("log\npanic: x\n\ngoroutine 1"))
	f.Add([]byte("fatal error: y"))
	f.Add([]byte("no panic: here"))
	f.Add(append([]byte("panic: "), make([]byte, 10<<10)...))
	f.Fuzz(func(t *testing.T, said []byte) {
		got := words(said)
		if len(got) > wordBytes || !strings.Contains(string(said), got) || len(said) > 0 && got == "" {
			t.Errorf("%q of %q", got, said)
		}
		if kept := listen(strings.NewReader(string(said))); len(kept) > keptBytes || !bytes.HasSuffix(said, kept) {
			t.Errorf("kept %q", kept)
		}
	})
}
