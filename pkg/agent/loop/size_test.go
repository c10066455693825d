package loop

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/files/tokens"
)

func TestCost(t *testing.T) {
	data := strings.Repeat("iVBORw0KGgo", 10_000)
	for _, message := range []string{
		`{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"` + data + `"}}]}`,
		`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + data + `"}}]}`,
	} {
		if n := cost(json.RawMessage(message)); n < pictureCost || n > pictureCost+100 {
			t.Errorf("%.60s: %d tokens", message, n)
		}
	}
	two := `[{"data":"` + data + `"},"x",{"data":"` + data + `"},{"data":"short"}]`
	if n := cost(json.RawMessage(two)); n < 2*pictureCost || n > 2*pictureCost+100 {
		t.Errorf("two pictures: %d tokens", n)
	}
	// The same in the text of an answer is text.
	text := raw(`{"data":"` + data + `"}`)
	if n, want := cost(text), tokens.Estimate(string(text)); n != want {
		t.Errorf("a text: %d tokens, want %d", n, want)
	}
}

func TestBound(t *testing.T) {
	long := "first " + strings.Repeat("漢字 \" \\ \n", 50_000) + " last"
	answers := []json.RawMessage{
		raw(message{Role: "tool", Content: "short", ID: "call_1"}),
		raw(message{Role: "tool", Content: long, ID: "call_2"}),
	}
	got := bound(answers, 2000)
	if n := costs(got); n > 2000 || n < 500 {
		t.Errorf("%d tokens", n)
	}
	if string(got[0]) != string(answers[0]) {
		t.Errorf("a short answer became %s", got[0])
	}
	var m message
	if err := json.Unmarshal(got[1], &m); err != nil || m.ID != "call_2" || m.Role != "tool" {
		t.Fatalf("%v %.100s", err, got[1])
	}
	if !strings.HasPrefix(m.Content, "first 漢") || !strings.HasSuffix(m.Content, " last") || !strings.Contains(m.Content, "cut here") {
		t.Errorf("%.100q", m.Content)
	}
	if strings.ContainsRune(m.Content, '\ufffd') {
		t.Error("a character was cut in two")
	}
	// Many texts, none of which is long, stay: nothing would be left of them.
	many := make([]json.RawMessage, 100)
	for i := range many {
		many[i] = raw(message{Role: "tool", Content: "a short answer"})
	}
	if got := bound(many, 10); !reflect.DeepEqual(got, many) {
		t.Error("short answers were cut")
	}
}

func FuzzCutTexts(f *testing.F) {
	f.Add([]byte(`{"a":"`+strings.Repeat("x\\n", 200)+`","data":"`+strings.Repeat("y", 300)+`","`+strings.Repeat("k", 300)+`" : 1}`), 100)
	f.Add([]byte(`["`+strings.Repeat(`\ud83d\ude00`, 50)+`"]`), 60)
	f.Add([]byte(`"`+strings.Repeat(`\`, 301)), 3)
	f.Fuzz(func(t *testing.T, data []byte, most int) {
		most = min(max(most, 1), 1000)
		got := cutTexts(data, most)
		if json.Valid(data) != json.Valid(got) {
			t.Fatalf("%q becomes %q", data, got)
		}
		if len(got) > len(data) {
			t.Errorf("%q grows to %q", data, got)
		}
		var before, after any
		if json.Unmarshal(data, &before) == nil && json.Unmarshal(got, &after) == nil && !alike(before, after) {
			t.Errorf("%q becomes %q", data, got)
		}
	})
}

// alike reports whether two values are the same but for texts.
func alike(x, y any) bool {
	switch x := x.(type) {
	case map[string]any:
		other, ok := y.(map[string]any)
		if !ok || len(other) != len(x) {
			return false
		}
		for name, value := range x {
			if !alike(value, other[name]) {
				return false
			}
		}
		return true
	case []any:
		other, ok := y.([]any)
		if !ok || len(other) != len(x) {
			return false
		}
		for i := range x {
			if !alike(x[i], other[i]) {
				return false
			}
		}
		return true
	case string:
		_, ok := y.(string)
		return ok
	}
	return reflect.DeepEqual(x, y)
}
