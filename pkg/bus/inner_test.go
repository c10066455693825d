package bus

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/state/store"
)

func TestWithoutThinking(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                                    "plain",
		" spaces stay ":                            " spaces stay ",
		"<think>a\nb</think>\n\nanswer":            "answer",
		"<thinking>a</thinking>answer":             "answer",
		"<think>a</think>one\n<think>b</think>two": "one\ntwo",
		"<think>never closed":                      "",
		"plan\n</think>\nanswer":                   "answer",
		"write <think> before the plan":            "write <think> before the plan",
		"the tags <think>a</think> are shown":      "the tags <think>a</think> are shown",
		"one\n<think>never closed":                 "one\n<think>never closed",
		"<think></think>":                          "",
	} {
		if got := WithoutThinking(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFilterText(t *testing.T) {
	for _, f := range []Filter{{}, {Channel: "telegram"}, {"telegram", "a b/c=&%", "s", "t", KindResult, true}} {
		got, err := parseFilter(f.String())
		if diff := cmp.Diff(f, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
	}
}

// A message that is read can be written, and is the same when it is read again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"id":"1","seq":0,"channel":"telegram","to":"42","kind":"message","content":"a","created_at":"2026-03-01T12:00:00Z"}`,
		`{"id":"1","channel":"c","to":"t","media":[{"path":"a","bytes":1}],"buttons":[["a"],null],"origin":{"kind":"cron"},"expires_at":"2026-03-01T12:00:00.5+08:00"}`,
		`{"id":"2","channel":"c","to":"t"}`, `{"id":"1","channel":"c"}`, `{`, `[]`, "", `{"id":"1","channel":"c","to":"\ud800","created_at":"0001-01-01T00:00:00Z"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > store.MaxData/16 {
			return // what is escaped may be too large
		}
		m, err := decode(&store.Message{ID: "1", Seq: 7, Data: data})
		if err != nil {
			return
		}
		if m.ID != "1" || m.Seq != 7 || m.Channel == "" || m.To == "" {
			t.Fatalf("%+v", m)
		}
		written, err := encode(&m)
		if err != nil {
			t.Skip() // a time that has no form in JSON
		}
		again, err := decode(&store.Message{ID: "1", Seq: 7, Data: written})
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		twice, err := encode(&again)
		if err != nil || string(twice) != string(written) {
			t.Fatalf("%s\n%s: %v", written, twice, err)
		}
		letterOf(&store.Message{ID: "c:1", Data: data})
	})
}
