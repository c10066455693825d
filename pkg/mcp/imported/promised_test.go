package imported

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config/upstream"
)

// Data that is not as its server has said is used, and said to be so; a schema that cannot
// be checked says nothing.
func TestUnkept(t *testing.T) {
	const sum = `{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}`
	for _, tt := range []struct{ output, data, want string }{
		{"", `{"sum":"x"}`, ""},
		{sum, `{"sum":3}`, ""},
		{sum, `{"sum":"3"}`, "the data of demo_sum is not as demo says: "},
		{sum, `{}`, "the data of demo_sum is not as demo says: "},
		{sum, "", "demo_sum returned no data, though demo says that it does"},
		{`{"$ref":"https://example.org/schema.json"}`, `{}`, ""},
		{`{"properties":{"a":{"pattern":"(?=x)"}}}`, `{"a":"y"}`, ""},
		{`{"type":7}`, `{}`, ""},
	} {
		i := &imported{server: &upstream.Server{Name: "demo"}, tool: &upstream.Tool{As: "demo_sum", Output: []byte(tt.output)}}
		var data []byte
		if tt.data != "" {
			data = []byte(tt.data)
		}
		got := i.unkept(data).String()
		if !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") || len(got) > 300 {
			t.Errorf("%s, %s: %q, want %q", tt.output, tt.data, got, tt.want)
		}
	}
}
