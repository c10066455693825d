package pattern_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/search/pattern"
)

func ExampleMachine_Find() {
	p, err := pattern.Compile(`\w+ing\b`, pattern.Options{IgnoreCase: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := []byte("Reading and WRITING files")
	m := pattern.NewMachine(p)
	for at := 0; ; {
		start, end, ok := m.Find(text, at, nil)
		if !ok {
			break
		}
		fmt.Printf("%d-%d %s\n", start, end, text[start:end])
		at = end
	}
	// Output:
	// 0-7 Reading
	// 12-19 WRITING
}

// Every match of a pattern holds one of its literals, so that a search can skip
// texts without them.
func ExampleCompile() {
	for _, text := range []string{`func (Read|Write)File\(`, `[A-Z]+_RESUME`, `\w+`} {
		p, err := pattern.Compile(text, pattern.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%q exact %v\n", p.Literals, p.Exact)
	}
	// Output:
	// ["func ReadFile(" "func WriteFile("] exact true
	// ["_RESUME"] exact false
	// [] exact false
}

func ExampleCompile_error() {
	_, err := pattern.Compile("a(b", pattern.Options{})
	fmt.Println(err)
	// Output:
	// invalid_arguments: pattern, at character 2: the group is not closed
}
