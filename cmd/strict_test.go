package cmd_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// helve schema --strict prints what OpenAI's clients make of the schemas.
func TestStrictSchemasAreOpenAIs(t *testing.T) {
	var tools []struct {
		Function struct{ Parameters json.RawMessage } // raw: the transformer goes by the order of properties
	}
	if err := json.Unmarshal([]byte(run(t, "schema", "--strict")), &tools); err != nil {
		t.Fatal(err)
	}
	schemas, want := make([]json.RawMessage, len(tools)), make([]any, len(tools))
	for i, tl := range tools {
		schemas[i] = tl.Function.Parameters
		if err := json.Unmarshal(schemas[i], &want[i]); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("node", func(t *testing.T) {
		var transformed []any
		judgedByNode(t, "strict.cjs", schemas, &transformed, "openai")
		if diff := cmp.Diff(want, transformed); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("python", func(t *testing.T) {
		var transformed []any
		judgedByPython(t, "strict.py", schemas, &transformed, "openai")
		if diff := cmp.Diff(want, transformed); diff != "" {
			t.Error(diff)
		}
	})
}
