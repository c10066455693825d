package process

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach starts a process without a console, in a group of its own.
func detach(c Command, in, out *os.File) (*os.Process, error) {
	return os.StartProcess(c.Program, []string{"helve", c.Argument}, &os.ProcAttr{
		Env: Environment(c.Env, systemVariables()...), Files: []*os.File{in, out, nil},
		Sys: &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS},
	})
}

// systemVariables returns the variables that every Windows program needs.
func systemVariables() []string {
	dir, err := windows.GetWindowsDirectory()
	if err != nil {
		return nil
	}
	return []string{"SystemRoot=" + dir, "windir=" + dir}
}
