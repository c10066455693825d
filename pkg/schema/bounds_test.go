package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/schema"
)

// What every provider takes: nesting, properties and values of an enum.
func TestFromJSONIsBounded(t *testing.T) {
	object := func(properties string) string { return `{"type":"object","properties":{` + properties + `}}` }
	list := func(n int, format string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(items, ",")
	}
	nested := func(n int) string {
		s := object(`"a":{"type":"string"}`)
		for range n {
			s = object(`"a":` + s)
		}
		return s
	}
	for _, at := range []struct{ most, more string }{
		{nested(5), nested(6)},
		{object(list(100, `"a%d":{"type":"string"}`)), object(list(101, `"a%d":{"type":"string"}`))},
		{object(`"a":{"type":"string","enum":[` + list(500, `"%d"`) + `]}`), object(`"a":{"type":"string","enum":[` + list(501, `"%d"`) + `]}`)},
	} {
		if _, flaws := schema.FromJSON([]byte(at.most)); len(flaws) > 0 {
			t.Errorf("%.80s…: %v", at.most, flaws)
		}
		if _, flaws := schema.FromJSON([]byte(at.more)); len(flaws) == 0 {
			t.Errorf("%.80s… is taken", at.more)
		}
	}
}
