package schema_test

import (
	"fmt"
	"reflect"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// One tagged struct says everything about the arguments of a tool.
type readArgs struct {
	Path  string `json:"path" doc:"File or symbolic link, relative to the workspace root." path:"read" alias:"file_path"`
	Limit int    `json:"limit,omitzero" doc:"Access to the web." default:"2000" min:"1"`
}

func ExampleObject_JSONSchema() {
	o := schema.Of(reflect.TypeFor[readArgs]())
	for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
		text, err := schema.Marshal(o.In(lang).JSONSchema().Get("properties"))
		fmt.Println(string(text), err)
	}
	// Output:
	// {"path":{"type":"string","description":"File or symbolic link, relative to the workspace root."},"limit":{"type":"integer","description":"Access to the web.","minimum":1,"default":2000}} <nil>
	// {"path":{"type":"string","description":"文件或符号链接，相对于工作区根目录。"},"limit":{"type":"integer","description":"网络访问。","minimum":1,"default":2000}} <nil>
}

func ExampleObject_Decode() {
	o := schema.Of(reflect.TypeFor[readArgs]())
	var args readArgs
	fmt.Println(o.Decode([]byte(`{"file_path":"a.go"}`), &args), args)
	err := fault.As(o.Decode([]byte(`{"Path":"a.go","limit":"7"}`), &args))
	fmt.Println(err.Message)
	fmt.Println(err.Hint)
	// Output:
	// <nil> {a.go 2000}
	// invalid arguments: /Path: unknown; did you mean "path"?; /limit: want integer, got string; /path: required, and missing
	// the arguments are: path (required), limit
}

func ExampleObject_DecodeRepaired() {
	var args readArgs
	repairs, err := schema.Of(reflect.TypeFor[readArgs]()).DecodeRepaired([]byte(`{"arguments":{"path":"a.go","limit":"7"}}`), &args, schema.Repair{})
	fmt.Println(args, err)
	for _, r := range repairs {
		fmt.Println(r)
	}
	// Output:
	// {a.go 7} <nil>
	// the arguments were inside "arguments"; pass them directly
	// /limit: want integer; read the string as one
}

func ExampleFromJSON() {
	o, flaws := schema.FromJSON([]byte(`{"type":"object","properties":{"depth":{"type":"integer","minimum":0}},"required":["path"]}`))
	fmt.Println(o == nil)
	for _, f := range flaws {
		fmt.Println(f.Pointer, f.Message)
	}
	// Output:
	// true
	// /required/0 the required property "path" is not defined
}
