package process

import (
	"os"

	"golang.org/x/sys/windows"
)

// startOf returns when a process started, 0 if that is not known.
func startOf(pid int) uint64 {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(h) //nolint:errcheck // nothing was written through it
	return created(h)
}

// created returns when a process started, 0 if that is not known.
func created(h windows.Handle) uint64 {
	var creation, exit, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &creation, &exit, &kernel, &user) != nil {
		return 0
	}
	return uint64(creation.Nanoseconds())
}

func (p ID) alive() bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(p.PID))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h) //nolint:errcheck // nothing was written through it
	event, err := windows.WaitForSingleObject(h, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT) && (p.Start == 0 || created(h) == p.Start)
}

// terminate kills the process, which cannot be asked to end. The job objects that it has
// end with it.
func (p ID) terminate(still func() bool) error {
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
