package sandbox

import "github.com/helve-dev/helve/pkg/fault"

// runWithout is the hint where no sandbox can be had.
func runWithout() fault.Text {
	return fault.T("let a person approve the command without it")
}

func notAvailable(k Kind) error {
	return fault.New(fault.SandboxUnavailable, fault.T("the sandbox %s is not available here", k)).WithHint(runWithout())
}

func notSetUp(err error) error {
	return fault.New(fault.SandboxUnavailable, fault.T("the sandbox could not be set up: %s", err.Error())).
		WithHint(runWithout()).Because(err)
}

func noPreview() error {
	return fault.New(fault.SandboxUnavailable, fault.T("a preview needs the sandbox %s", Namespaces)).
		WithHint(fault.T("run the command without a preview"))
}

func noPort() error {
	return fault.New(fault.SandboxUnavailable, fault.T("a port of its own needs the sandbox %s with the network %s", Namespaces, Local)).
		WithHint(runWithout())
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
