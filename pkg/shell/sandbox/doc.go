// Package sandbox starts a command that can reach only what its profile names, as
// far as the kernel can enforce that. It does not decide which profile a command
// gets (tools/exec does, from the verdict of classify), and it does not read output
// or keep time (package run does).
//
// A [Profile] says what may be written, read and reached, and [Support] what the machine
// can do. [Confine] binds the two to a [Kind], and [Report] says what is then enforced
// and what is not: nothing is promised that the kernel does not do.
//
// # Systems
//
// [System], [Sandbox] and [Process] are implemented by a package for each operating
// system, and package native picks the one that is built:
//
//	linux     namespaces with Landlock and seccomp, or Landlock and seccomp alone
//	darwin    a profile for sandbox-exec
//	windows   a job object, which ends and limits processes and confines nothing
//	native    Probe and New for callers
//
// Another system is a directory beside these and a file in native. It embeds
// [Confinement], and [BasicSystem] and [BasicSandbox] for what it lacks.
package sandbox
