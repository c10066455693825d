// Package job runs commands in the background. It does not judge commands (package
// classify does) and does not decide what they may reach.
//
// There is no server. A job is a file with its [Record] in the state directory, files
// with its output, and a supervisor: a process of its own that outlives the call which
// started it.
//
//	call                      supervisor: helve __job
//	----                      -----------------------
//	Store.Start
//	  count, under a lock
//	  launch, detach ------>  Supervise
//	  write the Spec            reap: start the supervisor proper below a reaper,
//	                            unless the job has namespaces of its own
//	                            supervisor.run
//	                              hold the job's lock
//	                              run.Run
//	  read the reply <--------      Started: write the record, reply
//	  return the Record             Stream: recorder appends the output
//	                              write the record: ended or stopped
//	Store.Read   reads the output, from any offset that is still kept
//	Store.Wait   looks at the record until the job has ended
//	Store.Stop   asks the supervisor to end; it ends the job as a timeout would
//
// The kernel releases the lock of a job when its supervisor ends, for whatever reason.
// So a record that says running is believed only while the lock is held. If it is not,
// the supervisor was killed, and the job is lost.
//
// A killed supervisor leaves nothing running. In namespaces the kernel sees to that.
// Elsewhere the reaper becomes the parent of the job's processes and kills them. If both
// are killed at once, the next call that reads the record kills what carries the mark of
// the job in its environment.
//
// Jobs of a session that have namespaces share a loopback (network.go), which other commands
// of the session find by files beside the records.
//
// Processes are identified by number and start time, because a number is given to
// another process sooner or later.
package job
