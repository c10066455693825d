package cmdtest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Terminal returns a terminal and the side on which a typist types.
func Terminal(t *testing.T) (typist, terminal *os.File) {
	t.Helper()
	typist, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { typist.Close() })
	if err := unix.IoctlSetPointerInt(int(typist.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(typist.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return typist, terminal
}

// AtTerminal makes the terminal the controlling one of a process.
func AtTerminal(c *exec.Cmd, terminal *os.File) {
	c.Stderr, c.Stdin = terminal, terminal
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
}

// ReadUntil reads what a terminal shows until it shows the words.
func ReadUntil(t *testing.T, from *os.File, words string) string {
	t.Helper()
	var shown strings.Builder
	buffer := make([]byte, 4096)
	for !strings.Contains(shown.String(), words) {
		n, err := from.Read(buffer)
		if err != nil {
			t.Fatalf("%v after %q", err, shown.String())
		}
		shown.Write(buffer[:n])
	}
	return shown.String()
}
