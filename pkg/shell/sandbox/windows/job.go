//go:build windows

package windows

import (
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// Probe returns what this machine can do: job objects, which end what a command
// started and confine nothing.
func (System) Probe(sandbox.Cache) sandbox.Support { return sandbox.Support{Job: true} }

// Start starts a command in a job object of its own. It starts suspended, so that
// everything that it starts is in the job object, too.
func (sb *confined) Start(c sandbox.Command) (sandbox.Process, error) {
	if err := batchArguments(c.Path, c.Argv); err != nil {
		return nil, err
	}
	job, err := newJob(c.Limits.Processes)
	if err != nil {
		return nil, fault.System(err, c.Path)
	}
	cmd := &exec.Cmd{Path: c.Path, Args: c.Argv, Dir: c.Dir, Env: c.Env, Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow: true, CmdLine: commandLine(c.Path, c.Argv), CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP,
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return nil, fault.System(err, c.Path)
	}
	p := &process{pid: cmd.Process.Pid, ended: make(chan struct{}), job: job, cmd: cmd}
	if err := p.release(); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		windows.CloseHandle(job)
		return nil, fault.System(err, c.Path)
	}
	go p.await()
	return p, nil
}

// newJob makes a job object that kills its processes when it is closed. 0 processes is
// no limit.
func newJob(processes uint32) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("job: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	if processes > 0 {
		info.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS
	}
	info.BasicLimitInformation.ActiveProcessLimit = processes
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, fmt.Errorf("job: %w", err)
	}
	return job, nil
}

// release puts the suspended process into the job object and lets it run.
func (p *process) release() error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	if err := windows.AssignProcessToJobObject(p.job, h); err != nil {
		return err
	}
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != uint32(p.pid) {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread)
		windows.CloseHandle(thread)
		return err
	}
	return err
}

// await waits for the end of the command.
func (p *process) await() {
	defer close(p.ended)
	p.cmd.Wait() // the state below says more than the error
	p.state = sandbox.State{ExitCode: p.cmd.ProcessState.ExitCode()}
}

// Terminate asks the command to end, as the key Ctrl-Break does.
func (p *process) Terminate() {
	windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(p.pid))
}

// Finish kills the command and whatever is left in its job object.
func (p *process) Finish() ([]string, error) {
	var err error
	p.once.Do(func() {
		err = windows.TerminateJobObject(p.job, 1)
		<-p.ended
		windows.CloseHandle(p.job)
	})
	return nil, fault.System(err, "job")
}
