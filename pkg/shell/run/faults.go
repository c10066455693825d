package run

import "github.com/helve-dev/helve/pkg/fault"

func noCommand() error {
	return fault.New(fault.InvalidArguments, fault.T("there is no command to run"))
}

func notAbsolute(dir string) error {
	return fault.New(fault.InvalidArguments, fault.T("the directory %q is not absolute", dir))
}

func noProgram(name string) error {
	return fault.New(fault.NotFound, fault.T("there is no program %s", name)).
		WithHint(fault.T("check its name, or install it"))
}

func unknownShell(name string) error {
	return fault.New(fault.InvalidArguments, fault.T("there is no shell %q", name)).
		WithHint(fault.T("use auto, bash, sh, zsh, powershell, cmd or user"))
}

func noShell(name string) error {
	return fault.New(fault.Unsupported, fault.T("the shell %s is not installed", name)).
		WithHint(fault.T("use another shell, or argv instead of command"))
}
