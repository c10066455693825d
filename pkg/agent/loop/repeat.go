package loop

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"strings"
)

// repeats notices a model that goes in circles: it makes the same calls again and gets
// the same answers, each time or in turns of up to longestTurn steps. Calls whose answers
// change, such as polling, do not count.
type repeats struct {
	steps  [][sha256.Size]byte
	warned bool // of the circle that it is in
}

const longestTurn = 3

// The rounds of a circle after which the model is warned, and after which the loop stops;
// fewer where a round has several steps.
const (
	roundsToWarn    = 3
	roundsToEnd     = 5
	longRoundsToEnd = 4
)

// reaction is the loop's reaction to a step.
type reaction int

const (
	proceed reaction = iota
	warn             // the model must be warned; once in each circle
	stop             // the loop must end
)

// add counts a step.
func (r *repeats) add(calls []Made, answers []json.RawMessage) reaction {
	r.steps = append(r.steps, digest(calls, answers))
	found := proceed
	turns := false
	for turn := 1; turn <= longestTurn; turn++ {
		same := 0 // steps equal to the one a turn before
		for i := len(r.steps) - 1; i >= turn && r.steps[i] == r.steps[i-turn]; i-- {
			same++
		}
		turns = turns || same > 0
		end := roundsToEnd
		if turn > 1 {
			end = longRoundsToEnd
		}
		switch rounds := (same + turn) / turn; {
		case rounds >= end:
			return stop
		case rounds >= roundsToWarn && !r.warned:
			found, r.warned = warn, true
		}
	}
	r.warned = r.warned && turns
	return found
}

// digest identifies calls and their answers. It leaves out what is another one in each
// step: ids, and how long a call took.
func digest(calls []Made, answers []json.RawMessage) [sha256.Size]byte {
	h := sha256.New()
	part := func(b []byte) {
		_, _ = h.Write(b) // a hash takes everything
		_, _ = h.Write([]byte{0})
	}
	for _, c := range calls {
		part([]byte(c.Name))
		part(canonical(c.Arguments, func(v any) any { return v }))
	}
	part(nil)
	for _, a := range answers {
		part(canonical(a, steady))
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// canonical returns a JSON value, after a change, with its names sorted and without white
// space. What is no JSON stays as it is.
func canonical(data []byte, change func(any) any) []byte {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return data
	}
	b, err := json.Marshal(change(v))
	if err != nil {
		return data
	}
	return b
}

// steady returns a value without ids and durations. A text that is a JSON object is
// looked into: the answers of tools are such texts.
func steady(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			switch name {
			case "duration_ms", "tool_call_id", "tool_use_id", "call_id":
				delete(v, name)
			default:
				v[name] = steady(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = steady(v[i])
		}
	case string:
		if strings.HasPrefix(v, "{") && strings.Contains(v, "duration_ms") {
			return string(canonical([]byte(v), steady))
		}
	}
	return v
}
