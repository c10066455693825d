package host

import (
	"os"
	"os/user"
	"runtime"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// shellOf names the shell and the system that commands run on, such as "bash on Linux";
// "" if there is no shell.
func shellOf(settings *config.Exec, lang fault.Lang) string {
	name := ""
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	shell, err := run.FindShell(settings.Shell, os.Environ(), name, passwd())
	if err != nil {
		return ""
	}
	known, system := shell.Name, runtime.GOOS
	if known == "pwsh" || known == "powershell" {
		known = "PowerShell"
	}
	switch system {
	case "linux":
		system = "Linux"
	case "darwin":
		system = "macOS"
	case "windows":
		system = "Windows"
	}
	return fault.T("%s on %s", known, system).In(lang)
}
