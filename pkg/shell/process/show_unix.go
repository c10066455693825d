//go:build unix && !darwin

package process

import (
	"context"
	"os/exec"
	"syscall"
)

// shower returns the command that opens an address. The shell ends at once, so that a
// browser that is started has another parent than this process, and is not taken for one
// of its own.
func shower(ctx context.Context, address string) (*exec.Cmd, error) {
	program, err := exec.LookPath("xdg-open")
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, "/bin/sh", "-c", `"$@" </dev/null >/dev/null 2>&1 &`, "sh", program, address)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return c, nil
}
