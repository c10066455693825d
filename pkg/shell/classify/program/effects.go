package program

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
)

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
	ownProcesses                     // the same, in the sandbox
	scheduled                        // changes what runs later
	system                           // works on the system itself
	disks                            // overwrites disks
	remote                           // acts on other machines
	database                         // works on a database elsewhere
)

// effects raises the verdict to what a program does.
func (f *findings) effects(e effects, name string) {
	for bit := effects(1); bit <= e; bit <<= 1 {
		if e&bit != 0 {
			f.effect(bit, name)
		}
	}
}

func (f *findings) effect(e effects, name string) {
	switch e {
	case changesFiles:
		f.general(policy.Write, fault.T("%s changes files", name))
	case hidden:
		f.raise(policy.Write, finding.Opaque, fault.T("%s runs code that the command does not show", name))
	case reaches:
		f.network()
		f.raise(policy.Write, finding.Network, fault.T("%s reaches other machines", name))
	case connects:
		f.network()
	case stays:
		f.raise(policy.Write, finding.Background, fault.T("%s may leave a process behind", name))
	case removes:
		f.raise(policy.Destructive, "", fault.T("%s deletes data", name))
	case irreversible:
		f.raise(policy.Destructive, "", fault.T("%s cannot be taken back, or changes what others rely on", name))
	case unfollowed:
		f.raise(policy.Destructive, finding.Obfuscated, fault.T("%s runs commands that cannot be followed", name))
	case privileged:
		f.raise(policy.Destructive, finding.Privilege, fault.T("%s runs commands with other rights or in another namespace", name))
	case containers:
		f.raise(policy.Destructive, finding.Privilege, fault.T("%s starts containers that reach beyond the sandbox", name))
	case processes:
		f.raise(policy.Destructive, "", fault.T("%s stops or changes other processes", name))
	case ownProcesses:
		f.raise(policy.Write, "", fault.T("%s stops or changes processes of its own sandbox", name))
	case scheduled:
		f.raise(policy.Destructive, "", fault.T("%s changes what runs later", name))
	case system:
		f.raise(policy.Destructive, "", fault.T("%s works on the system itself", name))
	case disks:
		f.forbid(fault.T("%s overwrites disks", name))
	case remote:
		f.raise(policy.Destructive, finding.Network, fault.T("%s acts on other machines", name))
	case database:
		f.network()
		f.raise(policy.Destructive, finding.Network, fault.T("%s works on a database elsewhere", name))
	}
}

func (f *findings) opaque(name string) { f.effect(hidden, name) }
