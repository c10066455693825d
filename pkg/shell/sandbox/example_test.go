//go:build unix

package sandbox_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// A report says what is enforced, here by an old kernel without user namespaces.
func ExampleConfine() {
	profile := sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: "/home/ann/project"}
	support := sandbox.Support{LandlockABI: 5, Seccomp: true}
	c, err := sandbox.Confine(profile, support, support.Best())
	if err != nil {
		fmt.Println(err)
		return
	}
	r := c.Report()
	fmt.Println(r.Kind, r.Filesystem, r.Network)
	fmt.Println(r.Degraded)
	// Output:
	// landlock workspace none
	// [file_metadata landlock_abi<6:scope no_namespaces no_unix_sockets protected_paths_restored]
}
