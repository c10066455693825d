package patch_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/files/patch"
)

func Example() {
	files, err := patch.Parse("*** Begin Patch\n"+
		"*** Update File: greet.txt\n"+
		"@@\n"+
		" one\n"+
		"-two\n"+
		"+2\n"+
		"*** End Patch\n", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range files {
		fmt.Println(f.Action, f.Path, f.Dialect)
		r, err := patch.Apply("zero\none\ntwo\n", f)
		fmt.Println(r.Hunks[0].Strategy, r.Hunks[0].Old.Text(), err)
		fmt.Print(r.Text)
	}
	// Output:
	// modify greet.txt begin_patch
	// exact line 3 <nil>
	// zero
	// one
	// 2
}

// A place that is not certain is not changed.
func ExampleApply_ambiguous() {
	files, _ := patch.Parse("--- a/x\n+++ b/x\n@@\n-same\n+other\n", "")
	_, err := patch.Apply("same\nsame\n", files[0])
	fmt.Println(err)
	// Output: hunk_ambiguous: x: 1 of 1 hunks failed, nothing was changed. hunk 1 (line 3 of the patch): its lines are in x 2 times, at lines 1, 2
}
