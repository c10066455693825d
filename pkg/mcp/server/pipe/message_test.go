package pipe

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// FuzzLines reads what may be anything. What is taken for a message is one to the library,
// and what is not gets an answer that repeats no id but one that was there.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}`, `{"jsonrpc":"2.0","method":"x"}`, `{"jsonrpc":"2.0","id":"a","result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, `{"jsonrpc":"2.0","id":1,"error":5}`, `[{"jsonrpc":"2.0","id":1,"method":"ping"},7]`, `[]`,
		`{"id":9007199254740993}`, `{"id":-0.5}`, `{"id":1e3,"jsonrpc":"2.0","method":"\ud800"}`, `{"id":{}}`, `{"a":[{"id":2}],"id":3,`, "\xff", "\ufeff{}", "null", "\r\n{}\n{",
		`{"jsonrpc":"2.0","method":""}`, `{"jsonrpc":"2.0","id":1,"method":""}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := lines(bytes.NewReader(text), 64, func(l line) bool {
			all, _ := decode(l)
			if len(all) == 0 {
				t.Errorf("%q: nothing", l.text)
			}
			for _, m := range all {
				if r := m.refused; r != nil {
					if !json.Valid(r.ID) || string(r.ID) != "null" && !bytes.Contains(l.text, r.ID) {
						t.Errorf("%q: id %s", l.text, r.ID)
					}
				}
				if m.Message == nil {
					continue
				}
				written, err := jsonrpc.EncodeMessage(m.Message)
				if err != nil {
					t.Fatalf("%q: %v", l.text, err)
				}
				again, err := jsonrpc.DecodeMessage(written)
				if err != nil {
					t.Fatalf("%q: %s: %v", l.text, written, err)
				}
				if r, ok := again.(*jsonrpc.Request); ok && r.ID != m.Message.(*jsonrpc.Request).ID {
					t.Errorf("%q: id %v", l.text, r.ID)
				}
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
	})
}

// Lines are what is between their ends, whatever that is; of a long one the head is kept.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*head)
	for in, want := range map[string][]line{
		"":                                nil,
		"\n\r\n \n":                       nil,
		"a\r\nb":                          {{text: []byte("a")}, {text: []byte("b")}},
		long + "\nb":                      {{text: []byte(long)}, {text: []byte("b")}},
		long + long + "\n\nb\n":           {{text: []byte(long[:head]), long: true}, {text: []byte("b")}},
		"a\n" + long + long:               {{text: []byte("a")}, {text: []byte(long[:head]), long: true}},
		"a\n" + strings.Repeat(long, 100): {{text: []byte("a")}, {text: []byte(long[:head]), long: true}},
	} {
		var got []line
		err := lines(struct{ io.Reader }{strings.NewReader(in)}, 4*head, func(l line) bool {
			got = append(got, line{slices.Clone(l.text), l.long})
			return true
		})
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(line{})); err != nil || diff != "" {
			t.Errorf("%.20q: %v %.300s", in, err, diff)
		}
	}
}
