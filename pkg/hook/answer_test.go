package hook

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestAnswers reads the answers of helve's own form and of those that other agents document.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ output, decision, reason, arguments, fault string }{
		{"", "", "", "", ""},
		{"formatted 3 files\n", "", "", "", ""},
		{`{}`, "", "", "", ""},
		{`{"decision":"deny","reason":" not here "}`, "deny", "not here", "", ""},
		{`{"decision":"block","reason":"x"}`, "deny", "x", "", ""},
		{`{"decision":"approve"}`, "allow", "", "", ""},
		{`{"decision":"ask","arguments":{"path":"a"}}`, "ask", "", `{"path":"a"}`, ""},
		{`{"continue":false,"stopReason":"stop","decision":"allow"}`, "deny", "stop", "", ""},
		{`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"},"decision":"allow"}`, "deny", "no", "", ""},
		{`{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"file_path":"b"}}}`, "allow", "", `{"file_path":"b"}`, ""},
		{`{"decision":"perhaps"}`, "", "", "", "want allow, deny or ask"},
		{`{"decision":"deny"`, "", "", "", "not the JSON of a decision"},
		{`{"decision":7}`, "", "", "", "not the JSON of a decision"},
	} {
		a, err := read([]byte(c.output))
		switch {
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s: %v", c.output, err)
		case c.fault == "" && (err != nil || a.decision != c.decision || a.reason != c.reason || string(a.arguments) != c.arguments):
			t.Errorf("%s: %+v, %v", c.output, a, err)
		}
	}
}

// FuzzRead reads whatever a program prints: what comes of it is a decision or a fault, and what
// goes to a model is short and valid.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"decision":"deny","reason":"x","hookSpecificOutput":{"permissionDecision":"ask","updatedInput":[]}}`))
	f.Add([]byte("\xff{"))
	f.Fuzz(func(t *testing.T, output []byte) {
		a, err := read(output)
		if err == nil && !slices.Contains([]string{"", "allow", "deny", "ask"}, a.decision) {
			t.Errorf("it decides %q", a.decision)
		}
		for _, text := range []string{a.reason, a.context} {
			if len(text) > saidBytes || !utf8.ValidString(text) {
				t.Errorf("%d bytes: %q", len(text), text)
			}
		}
	})
}
