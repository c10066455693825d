package glob_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/search/glob"
)

// A pattern without a slash matches names at any depth, any other matches the path.
func ExampleCompile() {
	for _, pattern := range []string{"*.{go,mod}", "cmd/*.go", "cmd/**/*.go", "cmd/"} {
		g, err := glob.Compile(pattern)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-12s", pattern)
		for _, path := range []string{"go.mod", "cmd/root.go", "cmd/host/env.go"} {
			fmt.Print(" ", g.Match(path))
		}
		fmt.Println()
	}
	// Output:
	// *.{go,mod}   true true true
	// cmd/*.go     false true false
	// cmd/**/*.go  false true true
	// cmd/         false true true
}

func ExampleCompile_error() {
	_, err := glob.Compile("*.[ch")
	fmt.Println(err)
	// Output:
	// invalid_arguments: glob "*.[ch", at character 3: the set is not closed by ]
}
