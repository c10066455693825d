package schema_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/schema"
)

// An unlisted argument is not in the JSON Schema, and is decoded like any other.
func TestUnlisted(t *testing.T) {
	type args struct {
		Path string `json:"path" doc:"A path."`
		Most int    `json:"most,omitzero" doc:"A limit." unlisted:"true" min:"1"`
	}
	o := schema.Of(reflect.TypeFor[args]())
	text, err := json.Marshal(o.JSONSchema())
	if err != nil || strings.Contains(string(text), "most") || !strings.Contains(string(text), `"path"`) {
		t.Errorf("%s, %v", text, err)
	}
	var a args
	if err := o.Decode([]byte(`{"path":"x","most":3}`), &a); err != nil || a.Most != 3 {
		t.Errorf("%+v, %v", a, err)
	}
	if err := o.Decode([]byte(`{"path":"x","most":0}`), &a); err == nil {
		t.Error("the bound does not hold")
	}
	type wrong struct {
		Path string `json:"path" doc:"A path." unlisted:"true"`
	}
	defer func() {
		if recover() == nil {
			t.Error("a required argument was left out")
		}
	}()
	schema.Of(reflect.TypeFor[wrong]())
}
