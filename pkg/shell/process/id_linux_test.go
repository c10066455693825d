package process

import (
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// A process lives until it has ended, whether or not anybody has asked how.
func TestAlive(t *testing.T) {
	if !This().Alive() || This().Start == 0 || Machine() == "" {
		t.Errorf("%+v on %q, alive: %v", This(), Machine(), This().Alive())
	}
	cmd := exec.Command("sh", "-c", "read x")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := Of(cmd.Process.Pid)
	if !p.Alive() {
		t.Error("it does not live")
	}
	if (ID{PID: p.PID, Start: p.Start + 1}).Alive() {
		t.Error("another process that had its number lives")
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := unix.Waitid(unix.P_PID, p.PID, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	if p.Alive() {
		t.Error("it lives after its end, of which nobody has asked yet")
	}
	if err := cmd.Wait(); err == nil {
		t.Error("read has read something")
	}
	if p.Alive() {
		t.Error("it lives after its end")
	}
}
