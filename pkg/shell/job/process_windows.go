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

// systemVariables returns the variables that every Windows program needs.
func systemVariables() []string {
	dir, err := windows.GetWindowsDirectory()
	if err != nil {
		return nil
	}
	return []string{"SystemRoot=" + dir, "windir=" + dir}
}

// thisProcess identifies this process.
func thisProcess() Process {
	pid := os.Getpid()
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return Process{PID: pid}
	}
	defer windows.CloseHandle(h) //nolint:errcheck // nothing was written through it
	return Process{PID: pid, Start: created(h)}
}

// created returns when a process started, 0 if that is not known.
func created(h windows.Handle) uint64 {
	var creation, exit, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &creation, &exit, &kernel, &user) != nil {
		return 0
	}
	return uint64(creation.Nanoseconds())
}

// alive reports whether the process still runs.
func (p Process) alive() bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(p.PID))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h) //nolint:errcheck // nothing was written through it
	event, err := windows.WaitForSingleObject(h, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT) && (p.Start == 0 || created(h) == p.Start)
}

// terminate kills the process, which cannot be asked to end. Its job object kills the
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

// machine is the name of the machine: a process number goes with the time of its start,
// which no other boot has.
func machine() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
