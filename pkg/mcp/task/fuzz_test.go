package task

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzDecode reads records: what is read is written and read as the same.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"id":"A","status":"working","created":"2026-01-02T03:04:05Z","ttl":1}`))
	f.Add([]byte(`{"status":"input_required","requests":{"a":{"method":"roots/list"},"a":null}}`))
	f.Add([]byte(`{"status":"failed","error":{"code":-32603,"message":"","data":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		one, err := decode(data)
		if err != nil {
			return
		}
		text, err := json.Marshal(one)
		if err != nil {
			t.Skip(err) // times that JSON has no form for
		}
		again, err := decode(text)
		if err != nil {
			t.Fatal(err)
		}
		second, err := json.Marshal(again)
		if err != nil || cmp.Diff(string(text), string(second)) != "" {
			t.Errorf("%s\n%s\n%v", text, second, err)
		}
	})
}
