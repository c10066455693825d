package jsonc_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/config/jsonc"
)

func ExampleParse() {
	n, problems := jsonc.Parse([]byte("{\n  // how much\n  \"limit\": 20,\n}"))
	fmt.Println(string(n.JSON()), len(problems))
	text := []byte("{\n  \"limit\" 20\n}")
	_, problems = jsonc.Parse(text)
	line, column := jsonc.Position(text, problems[0].Offset)
	fmt.Printf("%d:%d: %s\n", line, column, problems[0].Message)
	// Output:
	// {"limit":20} 0
	// 2:11: expected ":" after "limit"
}

// Set keeps comments and layout.
func ExampleSet() {
	text := []byte("{\n  \"limit\": 20 // enough\n}\n")
	text, err := jsonc.Set(text, []string{"limit"}, &jsonc.Node{Kind: jsonc.Number, Text: "50"})
	if err != nil {
		fmt.Println(err)
	}
	text, err = jsonc.Set(text, []string{"web", "proxy"}, &jsonc.Node{Kind: jsonc.String, Text: "direct"})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(string(text))
	// Output:
	// {
	//   "limit": 50, // enough
	//   "web": {"proxy":"direct"}
	// }
}
