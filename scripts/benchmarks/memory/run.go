package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Usage holds the CPU time and the memory of a program that has ended.
type Usage struct {
	Time   time.Duration // of processors, with that of its children
	Memory int64         // the most that it had, in bytes; see [Peak]
}

// launching is the variable that makes a process of this program start another one; its
// value names the file for the [Usage] of that.
const launching = "HELVE_BENCH_LAUNCH"

// Run runs a command and returns what it took. It is started from a new process of this
// program, which has [Launch] at its beginning: a process counts the memory of the one that
// started it as its own.
func Run(c *exec.Cmd) (Usage, error) {
	file, err := os.CreateTemp("", "helve-usage-")
	if err != nil {
		return Usage{}, err
	}
	defer os.Remove(file.Name()) //nolint:errcheck // a temporary file
	if err := file.Close(); err != nil {
		return Usage{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return Usage{}, err
	}
	c.Args = append([]string{self, c.Path}, c.Args[1:]...)
	c.Path = self
	c.Env = append(c.Environ(), launching+"="+file.Name())
	if err := c.Run(); err != nil {
		return Usage{}, err
	}
	data, err := os.ReadFile(file.Name())
	if err != nil {
		return Usage{}, err
	}
	var u Usage
	return u, json.Unmarshal(data, &u)
}

// Launch does nothing, or starts what [Run] was asked for and ends this process with its
// status. It is the first call of a program that uses Run.
func Launch() {
	file := os.Getenv(launching)
	if file == "" {
		return
	}
	status, err := launch(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

func launch(file string) (status int, err error) {
	if err := os.Unsetenv(launching); err != nil {
		return 0, err
	}
	c := exec.CommandContext(context.Background(), os.Args[1], os.Args[2:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	var ended *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &ended) {
		return 0, err
	}
	p := c.ProcessState
	data, err := json.Marshal(Usage{p.UserTime() + p.SystemTime(), Peak(p)})
	if err != nil {
		return 0, err
	}
	return p.ExitCode(), os.WriteFile(file, data, 0o600)
}
