package browser

import (
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// port is the proxy's port in the sandbox's own network, in which every port is free.
const port = 3128

// confinement is the enclosure of the browser.
type confinement struct {
	sandbox sandbox.Sandbox // nil: only its own
	own     bool            // Chromium's own sandbox is on
	network bool            // the kernel lets it reach the proxy alone
}

// confine returns the strongest confinement that the machine has for a user. The fault is
// sandbox_unavailable.
func confine(s sandbox.Support, user int, program, profile string, o *Options) (c confinement, err error) {
	switch {
	case unconfined(s, user):
		return c, noSandbox(s.Reason)
	case !s.Has(sandbox.Namespaces):
		return confinement{own: true}, nil
	}
	c.network = true
	c.sandbox, err = native.New(sandbox.Profile{
		Filesystem: sandbox.Workspace, Network: sandbox.Local, Port: port, Workspace: profile, Temp: filepath.Join(profile, "tmp"), Closed: true,
		Readable: readable(program), Secrets: append(sandbox.Secrets(run.Value(o.Environ, "HOME")), o.Hidden...),
	}, s, sandbox.Namespaces)
	return c, err
}

// unconfined reports whether nothing would enclose the browser of a user. Landlock alone
// refuses the sockets that Chromium's processes make, and root's has no sandbox of its own.
func unconfined(s sandbox.Support, user int) bool { return !s.Has(sandbox.Namespaces) && user == 0 }

// readable returns the directory of a program that lies outside of those of the system.
func readable(program string) []string {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return nil // starting it reports that
	}
	dir := filepath.Dir(real)
	for _, system := range [...]string{"/usr/", "/bin/", "/opt/", "/nix/", "/snap/", "/gnu/"} {
		if strings.HasPrefix(dir+"/", system) {
			return nil
		}
	}
	return []string{dir}
}
