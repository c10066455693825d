package sandbox

import "github.com/helve-dev/helve/pkg/fault"

// Unavailable returns a fault with the code sandbox_unavailable, and the hint to run the
// command without a sandbox.
func Unavailable(why fault.Text) *fault.Error {
	return fault.New(fault.SandboxUnavailable, why).WithHint(fault.T("let a person approve the command without it"))
}

func notAvailable(k Kind) error {
	return Unavailable(fault.T("the sandbox %s is not available here", k))
}

func noPreview() error {
	return fault.New(fault.SandboxUnavailable, fault.T("a preview needs the sandbox %s", Namespaces)).
		WithHint(fault.T("run the command without a preview"))
}

func noPort() error {
	return Unavailable(fault.T("a port of its own needs the sandbox %s with the network %s", Namespaces, Local))
}

func notAbsolute(path string) error {
	return fault.New(fault.InvalidArguments, fault.T("the sandbox needs an absolute path, not %q", path))
}

func unknownFilesystem(f Filesystem) error {
	return fault.New(fault.InvalidArguments, fault.T("the sandbox has no file system %q", f))
}

func unknownNetwork(n Network) error {
	return fault.New(fault.InvalidArguments, fault.T("the sandbox has no network %q", n))
}
