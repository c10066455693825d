package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/helve-dev/helve/pkg/fault"
)

// A failure has a code to branch on, and a message and a hint in both languages.
func ExampleNew() {
	err := fault.New(fault.Stale, fault.T("%s has changed since", "main.go")).
		WithHint(fault.T("read it again"))
	fmt.Println(err)
	fmt.Println(err.Message.In(fault.Chinese))
	fmt.Println(err.Hint)
	fmt.Println(err.Code.Exit(), err.Code.Retryable())
	// Output:
	// stale: main.go has changed since
	// main.go 此后已被修改
	// read it again
	// 1 false
}

// As gives any error a code. System translates those of the operating system.
func ExampleAs() {
	for _, err := range []error{
		fmt.Errorf("reading: %w", fault.New(fault.NotFound, fault.T("file not found: a"))),
		fault.System(&fs.PathError{Op: "open", Path: "/home/me/a", Err: fs.ErrNotExist}, "a"),
		context.DeadlineExceeded,
		errors.New("index out of range"),
	} {
		e := fault.As(err)
		fmt.Println(e.Code.Exit(), e)
	}
	// Output:
	// 1 not_found: file not found: a
	// 1 not_found: file not found: a
	// 6 timeout: the call timed out
	// 70 internal: internal error: index out of range
}
