package classify

import "github.com/helve-dev/helve/pkg/fault"

// effects is a set of what programs do whatever they are given.
type effects uint

const (
	changesFiles effects = 1 << iota // of the workspace
	hidden                           // runs code that the command does not show
	reaches                          // reaches other machines, and may change files here
	connects                         // reaches other machines, by code that is judged besides
	stays                            // may leave a process behind
	removes                          // deletes data
	irreversible                     // cannot be taken back, or changes what others rely on
	unfollowed                       // runs commands that cannot be followed
	privileged                       // runs commands with other rights or in another namespace
	containers                       // starts containers that reach beyond the sandbox
	processes                        // stops or changes other processes
	scheduled                        // changes what runs later
	system                           // works on the system itself
	disks                            // overwrites disks
	remote                           // acts on other machines
	database                         // works on a database elsewhere
)

// effects raises the verdict to what a program does.
func (a *analysis) effects(e effects, name string) {
	for bit := effects(1); bit <= e; bit <<= 1 {
		if e&bit != 0 {
			a.effect(bit, name)
		}
	}
}

func (a *analysis) effect(e effects, name string) {
	switch e {
	case changesFiles:
		a.raise(Write, "", fault.T("%s changes files", "%s 会修改文件", name))
	case hidden:
		a.raise(Write, Opaque, fault.T("%s runs code that the command does not show", "%s 会运行命令中看不到的代码", name))
	case reaches:
		a.network()
		a.raise(Write, Network, fault.T("%s reaches other machines", "%s 会访问其他机器", name))
	case connects:
		a.network()
	case stays:
		a.raise(Write, Background, fault.T("%s may leave a process behind", "%s 可能会留下后台进程", name))
	case removes:
		a.raise(Destructive, "", fault.T("%s deletes data", "%s 会删除数据", name))
	case irreversible:
		a.raise(Destructive, "", fault.T("%s cannot be taken back, or changes what others rely on", "%s 无法撤销，或会影响他人", name))
	case unfollowed:
		a.raise(Destructive, Obfuscated, fault.T("%s runs commands that cannot be followed", "%s 会运行无法追踪的命令", name))
	case privileged:
		a.raise(Destructive, Privilege, fault.T("%s runs commands with other rights or in another namespace", "%s 会以其他权限或在其他命名空间中运行命令", name))
	case containers:
		a.raise(Destructive, Privilege, fault.T("%s starts containers that reach beyond the sandbox", "%s 启动的容器可越出沙箱", name))
	case processes:
		a.raise(Destructive, "", fault.T("%s stops or changes other processes", "%s 会终止或影响其他进程", name))
	case scheduled:
		a.raise(Destructive, "", fault.T("%s changes what runs later", "%s 会改变之后运行的内容", name))
	case system:
		a.raise(Destructive, "", fault.T("%s works on the system itself", "%s 会操作系统本身", name))
	case disks:
		a.forbid(fault.T("%s overwrites disks", "%s 会覆盖磁盘", name))
	case remote:
		a.raise(Destructive, Network, fault.T("%s acts on other machines", "%s 会在其他机器上执行操作", name))
	case database:
		a.network()
		a.raise(Destructive, Network, fault.T("%s works on a database elsewhere", "%s 会操作外部数据库", name))
	}
}

func (a *analysis) opaque(name string) { a.effect(hidden, name) }

// evaluates is for what runs text as code in a way that cannot be followed.
func (a *analysis) evaluates(name string) {
	a.raise(Destructive, Obfuscated, fault.T("%s evaluates text as code", "%s 会把文本当作代码求值", name))
}
