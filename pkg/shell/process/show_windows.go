package process

import (
	"context"
	"os/exec"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// shower returns the command that opens an address.
func shower(ctx context.Context, address string) (*exec.Cmd, error) {
	dir, err := windows.GetSystemDirectory()
	if err != nil {
		return nil, err
	}
	return exec.CommandContext(ctx, filepath.Join(dir, "rundll32.exe"), "url.dll,FileProtocolHandler", address), nil
}
