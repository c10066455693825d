// Package run runs one command to its end and returns what it printed. It does
// not judge commands (package classify does) and does not confine them (package
// sandbox does).
//
// # One call
//
//	Run
//	  lookPath          find the program in the PATH that the command will have
//	  openPipes         one pipe for both outputs, so that their order is kept;
//	                    two with Split
//	  sandbox.Start     start the command in a session of its own, without a
//	                    terminal
//	  pipes.started     goroutines read the output and feed the input
//	  pipes.watch       wait for the end, the timeout, the idle limit, the context
//	                    or too many processes; end asks politely first
//	  pipes.drain       wait up to 200 ms for processes that still hold the output
//	  Process.Finish    kill what is left, wherever it moved to
//	  pipes.close       only now is it certain that nobody writes any more
//	  Sandbox.Restored  put back protected paths; see package sandbox
//	  Sandbox.Planted   move aside what other programs would run
//	  capture.output    the text: beginning, a line about what is left out, end
//
// # Invariants
//
// The output survives: it is returned after a timeout, a cancellation or a failed
// start of something else. Memory does not grow with it: a capture keeps the
// first 8 KiB and, in a ring, the last 24 KiB, because errors are printed last.
// What does not fit goes to the caller's Spill, from the first byte on.
//
// A call never hangs. A command cannot wait for a person: it has no terminal, its
// input is empty unless the caller gives one, and [Environment] sets editors,
// pagers and askers to programs that end at once. A child that keeps the pipe open
// does not keep the call: exec.Cmd, which waits for the end of the pipe, took
// 8 seconds for "sleep 8 & echo a" where this takes 0.2.
//
// Git runs no program of a repository's choice for a command that only reads. Its
// settings cannot be taken back, only overridden by name, so gitSettings collects the
// names (git.go). A repository that the command reaches by other ways than from its
// directory is not looked into; package sandbox confines what that runs.
//
// A process that the command leaves behind is killed and named in the result, also
// when it made a session of its own. Commands that should outlive the call are for
// package job.
package run
