package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

func fresh(t testing.TB) *state.Dir {
	t.Helper()
	d, err := state.Open(filepath.Join(t.TempDir(), "state"), t.TempDir(), state.Options{})
	check(t, err)
	return d
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// path returns the path of the only transcript.
func path(t testing.TB, d *state.Dir) string {
	t.Helper()
	top, err := d.Path()
	check(t, err)
	names, err := filepath.Glob(filepath.Join(top, dir, "*"))
	check(t, err)
	if len(names) != 1 {
		t.Fatalf("files %q", names)
	}
	return names[0]
}

func add(t testing.TB, d *state.Dir, id string, events ...loop.Event) {
	t.Helper()
	w, err := Create(d, id)
	check(t, err)
	for _, e := range events {
		check(t, w.Add(e))
	}
	check(t, w.Close())
}

func all(t testing.TB, d *state.Dir, id string) (events []loop.Event) {
	t.Helper()
	check(t, Follow(t.Context(), d, id, false, nil, func(e loop.Event) error {
		events = append(events, e)
		return nil
	}))
	return events
}

var sample = []loop.Event{
	{At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Kind: loop.Started, Text: "find <b> & \x1b[31m\n任务",
		Messages: []json.RawMessage{json.RawMessage(`{"role":"user","content":"<b> & é\u2028"}`)}},
	{Kind: loop.Replied, Iteration: 1, Usage: model.Usage{In: 10, Out: 2}, Tokens: 12, Text: "hello",
		Messages: []json.RawMessage{json.RawMessage(`{"content":"hello","z":1.50,"reasoning_content":"\ud83d\ude00"}`)}},
	{Kind: loop.Called, Iteration: 1, Calls: []loop.Made{{Name: "read", Arguments: json.RawMessage(`{"path":"a"}`), Code: fault.NotFound, Bytes: 3}}},
	{Kind: loop.Ended, Status: agent.Failed, Reason: agent.ByModel, Error: "no"},
}

func TestRoundTrip(t *testing.T) {
	d := fresh(t)
	add(t, d, "fix-tests-k3f9", sample[:2]...)
	add(t, d, "fix-tests-k3f9", sample[2:]...) // another attempt appends
	if diff := cmp.Diff(sample, all(t, d, "fix-tests-k3f9")); diff != "" {
		t.Error(diff)
	}
	text, err := os.ReadFile(path(t, d))
	check(t, err)
	if want := string(sample[0].Messages[0]); !strings.Contains(string(text), want) {
		t.Errorf("a message is not kept as it came:\n%s", text)
	}
}

func TestLargeEvent(t *testing.T) {
	d := fresh(t)
	e := loop.Event{Kind: loop.Replied, Text: strings.Repeat("x", 20<<20)}
	add(t, d, "a", e, sample[3])
	if diff := cmp.Diff([]loop.Event{e, sample[3]}, all(t, d, "a")); diff != "" {
		t.Error("a large event is not kept")
	}
	w, err := Create(d, "a")
	check(t, err)
	e.Text = strings.Repeat("x", 33<<20)
	if err := w.Add(e); !fault.Is(err, fault.TooLarge) {
		t.Errorf("an event that is not kept: %v", err)
	}
}

func TestBadLines(t *testing.T) {
	d := fresh(t)
	add(t, d, "a", sample[0])
	f, err := os.OpenFile(path(t, d), os.O_APPEND|os.O_WRONLY, 0)
	check(t, err)
	_, err = f.WriteString("garbage\n[]\n{}\n\n{\"kind\":\"reply\",\"messages\":7}\n" + strings.Repeat("y", 33<<20) + "\n" + `{"kind":"repl`)
	check(t, errors.Join(err, f.Close()))
	kinds := func() (kinds []string) {
		for _, e := range all(t, d, "a") {
			kinds = append(kinds, e.Kind)
			if e.Kind == unreadable && e.Text == "" {
				t.Error("no word on what is wrong")
			}
		}
		return kinds
	}
	want := []string{loop.Started, unreadable, unreadable, unreadable, unreadable, unreadable}
	if diff := cmp.Diff(want, kinds()); diff != "" {
		t.Error(diff)
	}
	// What a crash has cut off does not spoil what the next attempt adds.
	add(t, d, "a", sample[1])
	if diff := cmp.Diff(append(want, unreadable, loop.Replied), kinds()); diff != "" {
		t.Error(diff)
	}
}

func TestNames(t *testing.T) {
	ids := []string{"", ".", "..", "../../x", "a/b", `a\b`, "con", "A", "a", "é", "a\x00", "a.jsonl", strings.Repeat("a", 300), "hash-", "job-a", "\xff"}
	seen := map[string]bool{}
	for _, id := range ids {
		d := fresh(t)
		add(t, d, id, sample[3])
		name := strings.ToLower(filepath.Base(path(t, d)))
		if seen[name] {
			t.Errorf("%q has the file of another job, %s", id, name)
		}
		seen[name] = true
		if got := all(t, d, id); len(got) != 1 {
			t.Errorf("%q: %v", id, got)
		}
		check(t, Remove(d, id))
		check(t, Remove(d, id))
		if err := Follow(t.Context(), d, id, false, nil, nil); !fault.Is(err, fault.NotFound) {
			t.Errorf("%q is there after it was removed: %v", id, err)
		}
	}
}

func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := fresh(t)
		var got []loop.Event
		var over atomic.Bool
		done := make(chan error, 1)
		go func() {
			done <- Follow(t.Context(), d, "a", true, over.Load, func(e loop.Event) error {
				got = append(got, e)
				return nil
			})
		}()
		next := func() { // lets Follow look again
			time.Sleep(pause) //nolint:forbidigo // of the bubble's clock
			synctest.Wait()
		}
		next()
		for i := range sample[:3] {
			add(t, d, "a", sample[i])
			next()
			if diff := cmp.Diff(sample[:i+1], got); diff != "" {
				t.Fatal(diff)
			}
		}
		// What was written before the end is not missed.
		add(t, d, "a", sample[3])
		over.Store(true)
		check(t, <-done)
		if diff := cmp.Diff(sample, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestFollowEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := fresh(t)
		never := func() bool { return false }
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		check(t, Follow(ctx, d, "none", true, never, nil))
		if err := Follow(t.Context(), d, "none", true, func() bool { return true }, nil); !fault.Is(err, fault.NotFound) {
			t.Errorf("an ended job without a transcript: %v", err)
		}
		add(t, d, "a", sample...)
		stop := errors.New("a closed pipe")
		if err := Follow(t.Context(), d, "a", true, never, func(loop.Event) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("a reader that goes away: %v", err)
		}
	})
}

// FuzzFollow reads files of anything.
func FuzzFollow(f *testing.F) {
	f.Add([]byte("{\"kind\":\"reply\",\"text\":\"a\x1b[2J\"}\n{}\n{\"ki"))
	f.Add([]byte(`{"kind":"calls","calls":[{"name":"x","arguments":{"a":"\u001b","b":[1,{"c":2}]}},{"arguments":"}{"}]}` + "\n"))
	f.Add([]byte(`{"kind":"ended","status":"\u202e","error":"a\nb"}` + "\n\n\xff\n"))
	d := fresh(f)
	add(f, d, "a", sample[0])
	file := path(f, d)
	f.Fuzz(func(t *testing.T, data []byte) {
		check(t, os.WriteFile(file, data, 0o600))
		lines := 0
		for l := range strings.Lines(string(data)) {
			if strings.HasSuffix(l, "\n") && l != "\n" {
				lines++
			}
		}
		events := all(t, d, "a")
		if len(events) != lines {
			t.Fatalf("%d events of %d lines", len(events), lines)
		}
		for _, e := range events {
			if e.Kind == "" {
				t.Error("an event without a kind")
			}
			plain(t, Render(e, fault.English))
			plain(t, Render(e, fault.Chinese))
		}
	})
}

// plain checks that a text is whole lines that do nothing to a terminal.
func plain(t *testing.T, s string) {
	t.Helper()
	if s != "" && !strings.HasSuffix(s, "\n") {
		t.Errorf("%q does not end in a newline", s)
	}
	control := func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0x202e }
	if !utf8.ValidString(s) || strings.ContainsFunc(s, control) {
		t.Errorf("%q", s)
	}
}
