package edit_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
)

func ExampleApply() {
	src := "func f() {\n\tif ready {\n\t\tgo run()\n\t}\n}\n"
	// The caller indents by spaces, the file by tabs.
	r, err := edit.Apply(src, []edit.Edit{{
		Old: "    if ready {\n        go run()\n    }\n",
		New: "    if ready {\n        go run()\n        wait()\n    }\n",
	}}, edit.Options{Path: "f.go"})
	fmt.Println(r.Edits[0].Strategy, r.Edits[0].Old.Text(), r.Edits[0].New.Text(), err)
	fmt.Print(r.Text)
	// Output:
	// indent lines 2-4 lines 2-5 <nil>
	// func f() {
	// 	if ready {
	// 		go run()
	// 		wait()
	// 	}
	// }
}

// A text that is not found is never replaced by a similar one. The error names
// candidates, which a second edit can accept.
func ExampleApply_candidate() {
	src := "alpha = 1\nbeta = 2\n"
	_, err := edit.Apply(src, []edit.Edit{{Old: "beta = 3", New: "beta = 4"}}, edit.Options{Path: "x"})
	c := fault.As(err).Details.(edit.Failure).Candidates[0]
	fmt.Println(fault.As(err).Code, c.Start, c.Text, c.Causes)

	r, _ := edit.Apply(src, []edit.Edit{{Accept: c.ID, New: "beta = 4"}}, edit.Options{Path: "x"})
	fmt.Print(r.Text)
	// Output:
	// text_not_found 2 beta = 2 [different_text]
	// alpha = 1
	// beta = 4
}

func ExamplePlaceholder() {
	line, text := edit.Placeholder("", "func f() {\n\t// ... existing code ...\n}\n")
	fmt.Println(line, text)
	// Output: 2 // ... existing code ...
}
