//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// printKey prints the key of a process under a filter, and whether it knows of that.
func printKey() int {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		fmt.Println(err)
		return 1
	}
	// With the flag it is on all threads.
	code := []unix.SockFilter{reply(allow)}
	program := unix.SockFprog{Len: 1, Filter: &code[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program))); errno != 0 {
		fmt.Println(errno)
		return 1
	}
	fmt.Println(probeKey(landlockABI()))
	fmt.Println(isFiltered())
	return 0
}

// TestProbeKey has another key under a filter: what was found without one does not hold.
func TestProbeKey(t *testing.T) {
	here := probeKey(landlockABI())
	if here == "" || here != probeKey(landlockABI()) {
		t.Fatalf("%q, then %q", here, probeKey(landlockABI()))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(self, "__key").CombinedOutput()
	key, filtered, _ := strings.Cut(string(out), "\n")
	if err != nil || key == "" || key == here || filtered != "true\n" {
		t.Errorf("%v: under a filter %q, else %q; filtered: %s", err, key, here, filtered)
	}
}
