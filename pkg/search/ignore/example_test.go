package ignore_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/search/ignore"
)

func ExampleParse() {
	rules := ignore.Parse([]byte("*.log\n!keep.log\nbuild/\n"))
	fmt.Println(rules.Match("a/b.log", false) == ignore.Ignored)
	fmt.Println(rules.Match("keep.log", false) == ignore.Included)
	fmt.Println(rules.Match("build", true) == ignore.Ignored)
	fmt.Println(rules.Match("build", false) == ignore.None) // "build/" is for directories only
	// Output:
	// true
	// true
	// true
	// true
}

// The rules of a deeper directory override those above it.
func ExampleStack() {
	var root ignore.Stack
	root = root.Enter(0, ignore.Directory{Git: ignore.Parse([]byte("*.log\n"))})
	sub := root.Enter(len("sub/"), ignore.Directory{Git: ignore.Parse([]byte("!*.log\n"))})
	fmt.Println(root.Match("a.log", false))
	fmt.Println(sub.Match("sub/a.log", false))
	// Output:
	// true
	// false
}
