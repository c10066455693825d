package process

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// A process with a mark is killed, and none whose mark is similar.
func TestEndMarked(t *testing.T) {
	run := func(mark string) *exec.Cmd {
		cmd := exec.Command("sleep", "91.5")
		cmd.Env = append(os.Environ(), mark)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // it was killed
		})
		return cmd
	}
	const mark = "HELVE_TEST_MARK=a"
	marked, similar := run(mark), run(mark+"b")
	if n := EndMarked("HELVE_TEST_MARK=none", mark); n != 1 {
		t.Errorf("%d were killed", n)
	}
	for deadline := time.Now().Add(time.Minute); Of(marked.Process.Pid).Start != 0; {
		if time.Now().After(deadline) {
			t.Fatal("it lives")
		}
	}
	if !Of(similar.Process.Pid).Alive() {
		t.Error("another one was killed")
	}
}
