package process

import (
	"context"
	"os/exec"
)

// shower returns the command that opens an address.
func shower(ctx context.Context, address string) (*exec.Cmd, error) {
	return exec.CommandContext(ctx, "/usr/bin/open", address), nil
}
