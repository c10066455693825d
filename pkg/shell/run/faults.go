package run

import "github.com/helve-dev/helve/pkg/fault"

func noCommand() error {
	return fault.New(fault.InvalidArguments, fault.T("there is no command to run", "没有要运行的命令"))
}

func notAbsolute(dir string) error {
	return fault.New(fault.InvalidArguments, fault.T("the directory %q is not absolute", "目录 %q 不是绝对路径", dir))
}

func noProgram(name string) error {
	return fault.New(fault.NotFound, fault.T("there is no program %s", "找不到程序 %s", name)).
		WithHint(fault.T("check its name, or install it", "请检查名称，或先安装该程序"))
}

func unknownShell(name string) error {
	return fault.New(fault.InvalidArguments, fault.T("there is no shell %q", "没有名为 %q 的 shell", name)).
		WithHint(fault.T("use auto, bash, sh, zsh, powershell, cmd or user", "请使用 auto、bash、sh、zsh、powershell、cmd 或 user"))
}

func noShell(name string) error {
	return fault.New(fault.Unsupported, fault.T("the shell %s is not installed", "未安装 shell %s", name)).
		WithHint(fault.T("use another shell, or argv instead of command", "请换用其他 shell，或用 argv 代替 command"))
}
