package loop

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFitting(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("what it does, ", 200)
	chat := json.RawMessage(`[{"type":"function","function":{"name":"read","description":"` + long + `"}},{"type":"function","function":{"name":"websearch","description":"` + long + `"}}]`)
	anthropic := json.RawMessage(`[{"name":"exec","description":"` + long + `"},{"name":"find","description":"` + long + `"}]`)
	others := json.RawMessage(`[{"name":"find","description":"` + long + `"}]`)
	for _, tt := range []struct {
		all     json.RawMessage
		context int
		want    string // that is there
		not     string
	}{
		{chat, 100_000, "websearch", "-"}, {chat, 1500, "read", "websearch"},
		{anthropic, 100_000, "find", "-"}, {anthropic, 1500, "exec", "find"},
		{others, 1500, "find", "-"}, {nil, 1500, "", "-"}, {json.RawMessage(`{}`), 0, "{}", "-"},
	} {
		got := string(fitting(tt.all, tt.context))
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) && tt.not != "-" {
			t.Errorf("%d tokens: %.200s", tt.context, got)
		}
	}
}
