package job

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach starts the supervisor without a console, in a group of its own.
func detach(program string, in, out *os.File) (*os.Process, error) {
	return os.StartProcess(program, []string{"helve", Argument}, &os.ProcAttr{
		Env: append([]string{"HELVE=1"}, systemVariables()...), Files: []*os.File{in, out, nil},
		Sys: &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS},
	})
}

// systemVariables are those without which Windows programs do not start.
func systemVariables() []string {
	dir, err := windows.GetWindowsDirectory()
	if err != nil {
		return nil
	}
	return []string{"SystemRoot=" + dir, "windir=" + dir}
}

func thisProcess() Process {
	pid := os.Getpid()
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return Process{PID: pid}
	}
	defer windows.CloseHandle(h) //nolint:errcheck // nothing was written through it
	return Process{PID: pid, Start: created(h)}
}

// created is when a process started, 0 if that cannot be told.
func created(h windows.Handle) uint64 {
	var creation, exit, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &creation, &exit, &kernel, &user) != nil {
		return 0
	}
	return uint64(creation.Nanoseconds())
}

// alive reports whether the process is there and still the same.
func (p Process) alive() bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(p.PID))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h) //nolint:errcheck // nothing was written through it
	event, err := windows.WaitForSingleObject(h, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT) && (p.Start == 0 || created(h) == p.Start)
}

// terminate ends the process: there is no asking it. Its job object ends the
// command with it.
func (p Process) terminate(still func() bool) error {
	h, err := windows.OpenProcess(windows.PROCESS_TERMINATE|windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(p.PID))
	if err != nil {
		return nil //nolint:nilerr // it has ended
	}
	defer windows.CloseHandle(h) //nolint:errcheck // nothing was written through it
	if p.Start != 0 && created(h) != p.Start || !still() {
		return nil
	}
	return windows.TerminateProcess(h, 1)
}
