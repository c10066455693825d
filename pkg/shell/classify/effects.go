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
		a.raise(Write, "", fault.T("%s changes files", name))
	case hidden:
		a.raise(Write, Opaque, fault.T("%s runs code that the command does not show", name))
	case reaches:
		a.network()
		a.raise(Write, Network, fault.T("%s reaches other machines", name))
	case connects:
		a.network()
	case stays:
		a.raise(Write, Background, fault.T("%s may leave a process behind", name))
	case removes:
		a.raise(Destructive, "", fault.T("%s deletes data", name))
	case irreversible:
		a.raise(Destructive, "", fault.T("%s cannot be taken back, or changes what others rely on", name))
	case unfollowed:
		a.raise(Destructive, Obfuscated, fault.T("%s runs commands that cannot be followed", name))
	case privileged:
		a.raise(Destructive, Privilege, fault.T("%s runs commands with other rights or in another namespace", name))
	case containers:
		a.raise(Destructive, Privilege, fault.T("%s starts containers that reach beyond the sandbox", name))
	case processes:
		a.raise(Destructive, "", fault.T("%s stops or changes other processes", name))
	case scheduled:
		a.raise(Destructive, "", fault.T("%s changes what runs later", name))
	case system:
		a.raise(Destructive, "", fault.T("%s works on the system itself", name))
	case disks:
		a.forbid(fault.T("%s overwrites disks", name))
	case remote:
		a.raise(Destructive, Network, fault.T("%s acts on other machines", name))
	case database:
		a.network()
		a.raise(Destructive, Network, fault.T("%s works on a database elsewhere", name))
	}
}

func (a *analysis) opaque(name string) { a.effect(hidden, name) }

// evaluates is for what runs text as code in a way that cannot be followed.
func (a *analysis) evaluates(name string) {
	a.raise(Destructive, Obfuscated, fault.T("%s evaluates text as code", name))
}
