package loop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/model"
)

// A letter is a step: the same letter is the same calls with the same answers. Where the
// model is told, there is an exclamation mark behind it; the loop ends at a full stop.
func TestCircles(t *testing.T) {
	tests := map[string]string{
		"ABCDEFGHIJ":       "ABCDEFGHIJ",
		"AABB":             "AABB",
		"AAAAAAA":          "AAA!AA.",
		"XAAABAAAAA":       "XAAA!BAAA!AA.",
		"ABABABABAB":       "ABABAB!AB.",
		"XABABABA":         "XABABAB!A",
		"ABCABCABCABCABC":  "ABCABCABC!ABC.",
		"ABBABBABBABBABB":  "ABBABBABB!ABB.",
		"ABCDABCDABCDABCD": "ABCDABCDABCDABCD", // longer turns are nobody's habit
		"ABACADAEAFAGAH":   "ABACADAEAFAGAH",
	}
	for steps, want := range tests {
		var r repeats
		var got strings.Builder
	walk:
		for _, step := range steps {
			got.WriteRune(step)
			switch r.add([]Made{{Name: string(step)}}, nil) {
			case warn:
				got.WriteByte('!')
			case stop:
				got.WriteByte('.')
				break walk
			case proceed:
			}
		}
		if got.String() != want {
			t.Errorf("got %s, want %s", &got, want)
		}
	}
}

func TestSameStep(t *testing.T) {
	step := func(arguments, answer string) [32]byte {
		return digest([]Made{{Name: "exec", Arguments: json.RawMessage(arguments)}}, []json.RawMessage{json.RawMessage(answer)})
	}
	first := step(`{"a":1,"b":[1,2]}`, `{"role":"tool","tool_call_id":"1","content":"x"}`)
	same := map[string][32]byte{
		"order and spaces": step(` {"b": [1, 2], "a": 1}`, `{"role":"tool","tool_call_id":"1","content":"x"}`),
		"another id":       step(`{"a":1,"b":[1,2]}`, `{"content":"x","role":"tool","tool_call_id":"2"}`),
	}
	for name, got := range same {
		if got != first {
			t.Errorf("%s: counts as another step", name)
		}
	}
	other := map[string][32]byte{
		"argument":       step(`{"a":2,"b":[1,2]}`, `{"role":"tool","tool_call_id":"1","content":"x"}`),
		"order of items": step(`{"a":1,"b":[2,1]}`, `{"role":"tool","tool_call_id":"1","content":"x"}`),
		"answer":         step(`{"a":1,"b":[1,2]}`, `{"role":"tool","tool_call_id":"1","content":"y"}`),
		"cut arguments":  step(`{"a":1,"b":[1,2]`, `{"role":"tool","tool_call_id":"1","content":"x"}`),
		"an id argument": step(`{"a":1,"b":[1,2],"call_id":"1"}`, `{"role":"tool","tool_call_id":"1","content":"x"}`),
	}
	for name, got := range other {
		if got == first {
			t.Errorf("%s: counts as the same step", name)
		}
	}
	took := func(ms int, out string) [32]byte {
		content := fmt.Sprintf(`{"output":%q,"duration_ms":%d}`, out, ms)
		return step(`{}`, string(raw(message{Role: "tool", Content: content})))
	}
	if took(1, "a") != took(2, "a") {
		t.Error("how long it took makes another step")
	}
	if took(1, "a") == took(1, "b") {
		t.Error("another output counts as the same step")
	}
}

func TestLoop(t *testing.T) {
	told := 0
	stuck := func(last string) (agent.Outcome, *script, *hands) {
		s := &script{}
		told = 0
		s.turns = func(n int, r model.Request) (*model.Reply, error) {
			if r.NoCalls {
				return says(last), nil
			}
			if strings.Contains(string(r.Messages[len(r.Messages)-1]), sayLoop) {
				told = n
			}
			return s.asks("hm", `read {"path":"a"}`), nil
		}
		h := &hands{answer: func(string, string) string { return "not_found" }}
		end, _ := try(t.Context(), t, s, h, nil)
		return end, s, h
	}
	for last, want := range map[string]summary{
		"":                    {agent.Incomplete, agent.ByLoop, "hm", ""},
		"I cannot":            {agent.Incomplete, agent.ByLoop, "I cannot", ""},
		"UNFINISHED\nno file": {agent.Incomplete, agent.ByLoop, "no file", ""},
		"FINISHED\nwas there": {agent.Completed, "", "was there", ""},
	} {
		end, s, h := stuck(last)
		if diff := cmp.Diff(want, summaryOf(end)); diff != "" {
			t.Error(diff)
		}
		if s.n != 6 || h.made != 5 || told != 4 {
			t.Errorf("%d requests, %d calls, told with request %d", s.n, h.made, told)
		}
	}
}

// Waiting for something is no loop.
func TestPolling(t *testing.T) {
	s := &script{}
	s.turns = func(n int, _ model.Request) (*model.Reply, error) {
		if n < 12 {
			return s.asks("", `jobs {"id":"x"}`), nil
		}
		return says("it ended"), nil
	}
	waited := 0
	h := &hands{answer: func(string, string) string { waited++; return fmt.Sprintf("running, %d lines", waited) }}
	end, events := try(t.Context(), t, s, h, nil)
	if end.Status != agent.Completed {
		t.Errorf("%+v", end)
	}
	for _, e := range events {
		if e.Kind == Nudged {
			t.Errorf("told: %s", e.Text)
		}
	}
}

func FuzzDigest(f *testing.F) {
	f.Add(`{"a":1,"b":"{\"duration_ms\":1}"}`, `{"tool_call_id":"x","content":"{\"duration_ms\":1,\"a\":{\"duration_ms\":[]}}"}`)
	f.Add(`{"a":1e999}`, `[1,2`)
	f.Add(`1 2`, "\xff")
	f.Fuzz(func(t *testing.T, arguments, answer string) {
		once := canonical([]byte(answer), steady)
		if twice := canonical(once, steady); string(once) != string(twice) {
			t.Errorf("%q becomes %q, then %q", answer, once, twice)
		}
		if json.Valid([]byte(answer)) && !json.Valid(once) {
			t.Errorf("%q is no JSON any more: %q", answer, once)
		}
		digest([]Made{{Arguments: json.RawMessage(arguments)}}, nil)
	})
}
