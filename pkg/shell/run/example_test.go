//go:build unix

package run_test

import (
	"context"
	"fmt"
	"time"

	"github.com/helve-dev/helve/pkg/shell/run"
)

func ExampleRun() {
	r, err := run.Run(context.Background(), run.Command{
		Argv: []string{"sh", "-c", "echo a; echo b >&2; exit 3"}, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}, Timeout: time.Minute,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q, exit code %d\n", r.Output.Text, r.ExitCode)
	// Output: "a\nb\n", exit code 3
}
