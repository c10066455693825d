package diff_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/files/diff"
)

func ExampleUnified() {
	d := diff.Unified(diff.Modified("greet.txt"), "one\ntwo\nthree\n", "one\n2\nthree\n", diff.Limit{})
	fmt.Print(d.Text)
	fmt.Printf("+%d -%d\n", d.Added, d.Removed)
	// Output:
	// --- a/greet.txt
	// +++ b/greet.txt
	// @@ -1,3 +1,3 @@
	//  one
	// -two
	// +2
	//  three
	// +1 -1
}

// Only the lines around the splices are compared, however long the text is.
func ExampleFromSplices() {
	old := "one\ntwo\nthree\n"
	d := diff.FromSplices(diff.Modified("greet.txt"), old, []diff.Splice{{Start: 4, End: 7, Text: "2"}}, diff.Limit{})
	fmt.Print(d.Text)
	// Output:
	// --- a/greet.txt
	// +++ b/greet.txt
	// @@ -1,3 +1,3 @@
	//  one
	// -two
	// +2
	//  three
}

func ExampleRegions() {
	for _, r := range diff.Regions([]string{"a", "b", "c", "d"}, []string{"a", "x", "d", "e"}) {
		fmt.Printf("old[%d:%d] -> new[%d:%d]\n", r.OldStart, r.OldEnd, r.NewStart, r.NewEnd)
	}
	// Output:
	// old[1:3] -> new[1:2]
	// old[4:4] -> new[3:4]
}

func ExampleAlign() {
	fmt.Println(diff.Align([]string{"a", "b", "c"}, []string{"a", "x", "c"}))
	// Output: [0 -1 2]
}
