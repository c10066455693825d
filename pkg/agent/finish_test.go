package agent

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
)

// How each end is kept, and told of.
func TestEnds(t *testing.T) {
	const still = "\nthe workspace is as it left it, and helve spawn logs ID shows what it did. If the task is still to be done, do the rest yourself, or spawn it again and say what is done already."
	const bug = "this is a bug in helve; please report it"
	internal := func(message string) *Fault { return &Fault{Code: fault.Internal, Message: message} }
	for name, c := range map[string]struct {
		o       Outcome
		status  Status
		reason  Reason
		result  string
		fault   *Fault
		content string
	}{
		"completed": {
			o: Outcome{Status: Completed, Result: " done\n"}, status: Completed, result: "done",
			content: "sub-agent ID (the label) has completed its task.\n\ndone",
		},
		"completed with a reason": {
			o: Outcome{Status: Completed, Reason: ByLoop, Result: "done"}, status: Completed, result: "done",
			content: "sub-agent ID (the label) has completed its task.\n\ndone",
		},
		"completed without a word": {
			o: Outcome{Status: Completed, Result: "<think>well</think>"}, status: Completed,
			content: "sub-agent ID (the label) has completed its task.\nit returned no text; helve spawn logs ID shows what it did.",
		},
		"completed with an error": {
			o: Outcome{Status: Completed, Result: "done", Err: errors.New("broken")}, status: Failed, result: "done", fault: &Fault{fault.Internal, "internal error: broken", bug},
			content: "sub-agent ID (the label) has FAILED: it ended with an error.\ninternal: internal error: broken\n" + bug + still + "\n\nwhat it said until then:\ndone",
		},
		"incomplete": {
			o: Outcome{Status: Incomplete, Reason: ByIterations, Result: "half"}, status: Incomplete, reason: ByIterations, result: "half",
			content: "sub-agent ID (the label) has NOT completed its task: it has made 15 requests to the model, as many as max_iterations allows." + still + "\n\nwhat it said until then:\nhalf",
		},
		"incomplete by tokens": {
			o: Outcome{Status: Incomplete, Reason: ByTokens}, status: Incomplete, reason: ByTokens,
			content: "sub-agent ID (the label) has NOT completed its task: it has used its 2000000 tokens; spawn.max_tokens of the settings bounds them." + still,
		},
		"failed": {
			o:      Outcome{Status: Failed, Reason: ByModel, Err: fault.New(fault.RateLimited, fault.T("too \x1bfast")).WithHint(fault.T("wait"))},
			status: Failed, reason: ByModel, fault: &Fault{fault.RateLimited, "too fast", "wait"},
			content: "sub-agent ID (the label) has FAILED: the model's server failed or refused.\nrate_limited: too fast\nwait" + still,
		},
		"failed without a reason": {
			o: Outcome{Status: Failed}, status: Failed, fault: internal("whoever carried the job out did not say why it failed"),
			content: "sub-agent ID (the label) has FAILED: it ended with an error.\ninternal: whoever carried the job out did not say why it failed" + still,
		},
		"timeout": {
			o: Outcome{Status: Failed, Reason: ByTimeout, Err: fault.New(fault.Timeout, fault.T("over"))}, status: Failed, reason: ByTimeout,
			fault:   &Fault{Code: fault.Timeout, Message: "over"},
			content: "sub-agent ID (the label) has FAILED: its 1800 seconds are over; timeout bounds them.\ntimeout: over" + still,
		},
		"canceled": {
			o: Outcome{Status: Canceled}, status: Canceled,
			content: "sub-agent ID (the label) was canceled before it had completed its task." + still,
		},
		"lost": {
			o: Outcome{Status: Lost}, status: Lost,
			content: "sub-agent ID (the label) is lost: its worker, process 7 on far, has died." + still,
		},
		"nothing at all": {
			o: Outcome{}, status: Failed, fault: internal("whoever carried the job out did not say how it ended"),
			content: "sub-agent ID (the label) has FAILED: it ended with an error.\ninternal: whoever carried the job out did not say how it ended" + still,
		},
		"no end": {
			o: Outcome{Status: Working, Result: "x"}, status: Failed, result: "x", fault: internal("whoever carried the job out did not say how it ended"),
			content: "sub-agent ID (the label) has FAILED: it ended with an error.\ninternal: whoever carried the job out did not say how it ended" + still + "\n\nwhat it said until then:\nx",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			j := task("x")
			j.Label = "the label"
			id := w.add(j).ID
			w.claim(elsewhere("a"))
			got, mine, err := w.Finish(t.Context(), id, "a", c.o)
			if err != nil || !mine {
				t.Fatal(mine, err)
			}
			if got.Status != c.status || got.Reason != c.reason || got.Result != c.result || got.Queued || got.EndedAt.IsZero() {
				t.Errorf("%+v", got)
			}
			if diff := cmp.Diff(c.fault, got.Fault); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(got, w.get(id)); diff != "" {
				t.Error(diff)
			}
			all := w.messages()
			if len(all) != 1 {
				t.Fatalf("%d messages", len(all))
			}
			if diff := cmp.Diff(strings.ReplaceAll(c.content, "ID", id), all[0].Content); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A person who has chosen Chinese reads Chinese.
func TestReportLanguage(t *testing.T) {
	j := Job{ID: "x", Task: "做事", Lang: fault.Chinese, Status: Completed, Result: "好"}
	if got := j.report(); got != "子代理 x（做事）已完成任务。\n\n好" {
		t.Error(got)
	}
}

// Whatever a sub-agent returns is kept, up to a length, and can be sent.
func TestResults(t *testing.T) {
	for name, c := range map[string]struct {
		result, want string
		truncated    bool
	}{
		"the longest":   {strings.Repeat("a", MaxResult), strings.Repeat("a", MaxResult), false},
		"a byte more":   {strings.Repeat("a", MaxResult+1), strings.Repeat("a", MaxResult), true},
		"between runes": {"a" + strings.Repeat("é", MaxResult), "a" + strings.Repeat("é", MaxResult/2-1), true},
		"much more":     {strings.Repeat("é", 4<<20), strings.Repeat("é", MaxResult/2), true},
		"controls":      {"\x00\x1b" + strings.Repeat("\x01", MaxResult), "\x00\x1b" + strings.Repeat("\x01", MaxResult-2), true},
		"separators":    {strings.Repeat("a\u2028", MaxResult), strings.Repeat("a\u2028", MaxResult/4), true},
		"quotes":        {strings.Repeat(`"\`, MaxResult), strings.Repeat(`"\`, MaxResult/2), true},
		"not UTF-8":     {"a\xff\xfeb", "a\uFFFDb", false},
		"thoughts":      {"<think>\nlong\n</think>\n\nshort", "short", false},
	} {
		for _, status := range []Status{Completed, Failed} {
			t.Run(name+" "+string(status), func(t *testing.T) {
				w := newWorld(t)
				id := w.add(task("x")).ID
				w.claim(here("a"))
				long := fault.New(fault.Internal, fault.Verbatim(strings.Repeat("m\x01", 1<<20), "")).WithHint(fault.Verbatim(strings.Repeat("\u2028", 1<<20), ""))
				o := Outcome{Status: status, Result: c.result}
				if status == Failed {
					o.Err = long
				}
				got, _, err := w.Finish(t.Context(), id, "a", o)
				if err != nil {
					t.Fatal(err)
				}
				if got.Result != c.want || got.Truncated != c.truncated {
					t.Errorf("%d bytes, truncated %v, want %d", len(got.Result), got.Truncated, len(c.want))
				}
				if kept := w.get(id); kept.Result != c.want || kept.Truncated != c.truncated {
					t.Errorf("kept: %d bytes", len(kept.Result))
				}
				m := w.messages()[0]
				if cut := strings.Contains(m.Content, "[cut to "); cut != c.truncated || !utf8.ValidString(m.Content) {
					t.Errorf("the message: cut %v", cut)
				}
				if strings.ContainsAny(m.Content, "\x00\x01\x1b") {
					t.Error("the message has characters that control a terminal")
				}
			})
		}
	}
}

// A job whose workers die runs again as often as may be, and then is lost; its end is
// told of once.
func TestRerun(t *testing.T) {
	engines(t, func(w *world) {
		j := task(strings.Repeat("long ", 100))
		j.OnLost = LostRerun
		id := w.add(j).ID
		later := w.add(task("later")).ID
		for attempt := 1; attempt <= maxAttempts; attempt++ {
			claimed := w.claim(here("a"))
			if claimed == nil || claimed.ID != id || claimed.Attempt != attempt || claimed.Task != j.Task {
				w.Fatalf("%+v", claimed)
			}
			got, mine, err := w.Finish(w.Context(), id, "a", Outcome{Status: Lost})
			if err != nil || !mine {
				w.Fatal(mine, err)
			}
			want := 0
			if attempt == maxAttempts {
				want = 1
			}
			if got.Queued != (want == 0) || got.Status.Final() != (want == 1) || w.finals()[id] != want {
				w.Errorf("attempt %d: %+v, %v", attempt, got, w.finals())
			}
		}
		if got := w.get(id); got.Status != Lost {
			w.Errorf("%+v", got)
		}
		if next := w.claim(here("a")); next == nil || next.ID != later {
			w.Errorf("%+v", next)
		}
	})
}

// Everything of a job's end is there, or nothing.
func TestEndIsWhole(t *testing.T) {
	w := newWorld(t)
	id := w.add(task("x")).ID
	w.claim(here("a"))
	before := w.get(id)
	broken := NewJobs(w.store, bus.New(w.store, w.now), func() time.Time { panic("the clock") })
	func() {
		defer func() { _ = recover() }()
		_, _, _ = broken.Finish(t.Context(), id, "a", Outcome{Status: Completed, Result: "r"})
		t.Error("it did not fail")
	}()
	if diff := cmp.Diff(before, w.get(id)); diff != "" || len(w.messages()) > 0 {
		t.Error(diff, w.messages())
	}
	if running, _, err := w.Running(t.Context(), here("").Machine); running != 1 || err != nil {
		t.Error(running, err)
	}
}
