//go:build linux

package sandbox

import (
	"os"

	"github.com/helve-dev/helve/pkg/fault"
)

// notStarted returns why a command did not start: its directory or its program.
func notStarted(err error, c Command) error {
	if _, statErr := os.Stat(c.Dir); statErr != nil {
		return fault.System(statErr, c.Dir)
	}
	return fault.System(err, c.Path)
}

func notEnded() error {
	return fault.New(fault.Internal, fault.T("some processes of the command do not end", "命令的某些进程无法结束"))
}

func tooLargeToProtect(path string) error {
	return fault.New(fault.TooLarge, fault.T("%s is too large to be kept safe while a command runs", "%s 过大，无法在命令运行期间加以保护", path)).
		WithHint(fault.T("let a person approve the command without the sandbox", "请由用户批准在无沙箱的情况下运行该命令"))
}

func notRestorable(path string) error {
	return fault.New(fault.NotAFile, fault.T("%s is gone and cannot be put back", "%s 已丢失且无法恢复", path))
}
