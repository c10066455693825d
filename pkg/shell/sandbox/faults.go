package sandbox

import "github.com/helve-dev/helve/pkg/fault"

// runWithout is the hint where no sandbox can be had.
func runWithout() fault.Text {
	return fault.T("let a person approve the command without it", "请由用户批准在无沙箱的情况下运行该命令")
}

func notAvailable(k Kind) error {
	return fault.New(fault.SandboxUnavailable, fault.T("the sandbox %s is not available here", "此处无法使用沙箱 %s", k)).WithHint(runWithout())
}

func notSetUp(err error) error {
	return fault.New(fault.SandboxUnavailable, fault.T("the sandbox could not be set up: %s", "无法建立沙箱：%s", err.Error())).
		WithHint(runWithout()).Because(err)
}

func noPreview() error {
	return fault.New(fault.SandboxUnavailable, fault.T("a preview needs the sandbox %s", "预览需要沙箱 %s", Namespaces)).
		WithHint(fault.T("run the command without a preview", "请不使用预览运行该命令"))
}

func noPort() error {
	return fault.New(fault.SandboxUnavailable, fault.T("a port of its own needs the sandbox %s with the network %s", "自有端口需要沙箱 %s 及网络 %s", Namespaces, Local)).
		WithHint(runWithout())
}

func notAbsolute(path string) error {
	return fault.New(fault.InvalidArguments, fault.T("the sandbox needs an absolute path, not %q", "沙箱需要绝对路径，而不是 %q", path))
}

func unknownFilesystem(f Filesystem) error {
	return fault.New(fault.InvalidArguments, fault.T("the sandbox has no file system %q", "沙箱不支持文件系统 %q", f))
}

func unknownNetwork(n Network) error {
	return fault.New(fault.InvalidArguments, fault.T("the sandbox has no network %q", "沙箱不支持网络 %q", n))
}
