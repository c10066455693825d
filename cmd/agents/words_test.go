package agents

import "testing"

// TestSpawnAge reads and shows ages.
func TestSpawnAge(t *testing.T) {
	for text, want := range map[string]string{"7d": "7d", "48h": "2d", "36h": "36h0m0s", "0": "0s", "0d": "0s", "36500d": "36500d"} {
		var a age
		if err := a.Set(text); err != nil || a.String() != want {
			t.Errorf("%s: %s %v", text, a.String(), err)
		}
	}
}

// TestWithoutWait takes the argument wait out of those of a call, and leaves all faults to
// the decoder.
func TestWithoutWait(t *testing.T) {
	for _, c := range []struct {
		input, rest string
		waits       bool
	}{
		{`{"task":"x"}`, `{"task":"x"}`, true},
		{`{"task":"x","wait":true}`, `{"task":"x"}`, true},
		{` { "wait" : false , "task" : "x" } `, `{"task" : "x"}`, false},
		{`{"wait":false}`, `{}`, false},
		{`{"wait":null,"a":[1,{"wait":false}]}`, `{"a":[1,{"wait":false}]}`, true},
		{`{"task":"x","task":"y","wait":true}`, `{"task":"x","task":"y"}`, true},
		{`{"wait":"no","task":"x"}`, `{"wait":"no","task":"x"}`, true},
		{`{"task":"x","wait":false`, `{"task":"x","wait":false`, true},
		{`{"wait":false} x`, `{"wait":false} x`, true},
		{`[]`, `[]`, true},
		{``, ``, true},
	} {
		if rest, waits := withoutWait([]byte(c.input)); string(rest) != c.rest || waits != c.waits {
			t.Errorf("%s: %s %v", c.input, rest, waits)
		}
	}
}
