//go:build linux && (amd64 || arm64)

package linux

import (
	"os"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// notStarted returns why a command did not start: its directory or its program.
func notStarted(err error, c sandbox.Command) error {
	if _, statErr := os.Stat(c.Dir); statErr != nil {
		return fault.System(statErr, c.Dir)
	}
	return fault.System(err, c.Path)
}

func notEnded() error {
	return fault.New(fault.Internal, fault.T("some processes of the command do not end"))
}

func notRestorable(path string) error {
	return fault.New(fault.NotAFile, fault.T("%s is gone and cannot be put back", path))
}

func notSetUp(err error) error {
	return sandbox.Unavailable(fault.T("the sandbox could not be set up: %s", err.Error())).Because(err)
}
