package approval

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// redeemed returns a request that this process carries out.
func redeemed(t *testing.T, s *Store) *Request {
	t.Helper()
	r := ask(t, s)
	if _, err := s.Approve(t.Context(), r.ID, "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Redeem(t.Context(), r.ID, call()); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOutcome(t *testing.T) {
	s, _ := fresh(t)
	r := redeemed(t, s)
	if o, err := NewStore(s.dir).Outcome(r.ID); o != nil || err != nil {
		t.Errorf("of a call that runs: %+v, %v", o, err)
	}
	want := Outcome{
		Data: json.RawMessage(`{"a":"<b>"}`), Text: Words{"text", "文"}, Exit: 3, Warnings: []Words{{"w", "警"}},
	}
	if err := s.Finish(r.ID, want); err != nil {
		t.Fatal(err)
	}
	want.Ended = s.dir.Now().UTC()
	for range 2 {
		got, err := NewStore(s.dir).AwaitOutcome(t.Context(), r.ID)
		if err != nil || cmp.Diff(&want, got) != "" {
			t.Errorf("%v %s", err, cmp.Diff(&want, got))
		}
	}
	path, err := s.dir.Path()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(path, filepath.FromSlash(outcomeFile(r.ID)))
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(raw), "text", "lies", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = s.Outcome(r.ID)
	wantCode(t, err, fault.ApprovalInvalid)
}

// TestOutcomeOfAnother refuses the outcome of one request under the name of another,
// and lets go of a call that has ended.
func TestOutcomeOfAnother(t *testing.T) {
	s, _ := fresh(t)
	r := redeemed(t, s)
	if err := s.Finish(r.ID, Outcome{Data: json.RawMessage(`1`)}); err != nil {
		t.Fatal(err)
	}
	release, free, err := s.dir.Claim(runKey(r.ID))
	if err != nil || !free || len(s.running) != 0 {
		t.Fatalf("the call is still held: %v, %v", err, s.running)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	good, err := s.dir.ReadFile(outcomeFile(r.ID))
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Repeat("A", 26)
	if err := s.dir.WriteFile(outcomeFile(other), good); err != nil {
		t.Fatal(err)
	}
	o, err := s.Outcome(other)
	if o != nil {
		t.Errorf("%+v", o)
	}
	wantCode(t, err, fault.ApprovalInvalid)
}

// TestLostOutcome says so when a process ended in the middle of a call.
func TestLostOutcome(t *testing.T) {
	s, _ := fresh(t)
	r := redeemed(t, s)
	if err := s.running[r.ID](); err != nil { // as the system does when the process dies
		t.Fatal(err)
	}
	_, err := s.AwaitOutcome(t.Context(), r.ID)
	wantCode(t, err, fault.ApprovalInvalid)
	for lang, word := range map[fault.Lang]string{fault.English: "unknown", fault.Chinese: "未知"} {
		if m := fault.As(err).Message.In(lang); !strings.Contains(m, word) {
			t.Error(m)
		}
	}
	_, err = s.Redeem(t.Context(), r.ID, call())
	wantCode(t, err, fault.ApprovalInvalid)
}

// TestLargeOutcome keeps 2 MiB, and of more only how the call ended.
func TestLargeOutcome(t *testing.T) {
	for size, kept := range map[int]bool{2<<20 - 2<<10: true, 2 << 20: false} {
		s, _ := fresh(t)
		r := redeemed(t, s)
		if err := s.Finish(r.ID, Outcome{Data: json.RawMessage(`"` + strings.Repeat("x", size) + `"`), Exit: 1}); err != nil {
			t.Fatal(err)
		}
		o, err := s.Outcome(r.ID)
		if err != nil || (o.Data != nil) != kept || (len(o.Warnings) == 0) != kept || o.Exit != 1 {
			t.Errorf("%d bytes: %d kept, %v, %v", size, len(o.Data), o.Warnings, err)
		}
	}
}

// TestFailure restores an error as it was, in both languages.
func TestFailure(t *testing.T) {
	for _, details := range []any{nil, map[string]any{"n": 1}, wordedDetails{}, both{}} {
		before := fault.New(fault.Stale, fault.T("100%% of %s", "a%d")).WithHint(fault.T("look")).WithDetails(details)
		text, err := json.Marshal(FailureOf(before))
		if err != nil {
			t.Fatal(err)
		}
		var f Failure
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatal(err)
		}
		after := f.Err()
		_, saidBefore := before.Details.(fault.Worded)
		_, saidAfter := after.Details.(fault.Worded)
		if after.Code != before.Code || saidBefore != saidAfter && f.Details.En != nil {
			t.Errorf("%+v", after)
		}
		for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
			if after.Message.In(lang) != before.Message.In(lang) || after.Hint.In(lang) != before.Hint.In(lang) {
				t.Errorf("%q %q", after.Message.In(lang), after.Hint.In(lang))
			}
		}
		if _, ok := details.(both); ok {
			got := after.Details.(interface{ In(fault.Lang) any }).In(fault.Chinese)
			if string(got.(json.RawMessage)) != `{"word":"zh"}` {
				t.Errorf("%s", got)
			}
		}
	}
}

// both are details that follow the language.
type both struct{}

func (both) In(lang fault.Lang) any { return map[string]string{"word": string(lang)} }

// TestOutcomeGoesWithRequest removes both when the request is old.
func TestOutcomeGoesWithRequest(t *testing.T) {
	s, c := fresh(t)
	r := redeemed(t, s)
	if err := s.Finish(r.ID, Outcome{Data: json.RawMessage(`1`)}); err != nil {
		t.Fatal(err)
	}
	c.forward(10*time.Minute + 24*time.Hour + 1)
	next := ask(t, s)
	names, err := s.dir.List(recordDir)
	if err != nil || len(names) != 1 || names[0] != next.ID+".json" {
		t.Errorf("%v, %v", names, err)
	}
}
