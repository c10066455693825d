// Package linux starts commands in namespaces or under Landlock. The namespaces are the
// stronger kind; Landlock is for machines where they cannot be made.
//
// # Namespaces
//
//	helve                               child: first process of the namespaces
//	-----                               --------------------------------------
//	snapshot    snapshot.go
//	plan        plan.go
//	prepare     script.go               (all calls of the child, as data)
//	fork ---------------------------->  child.go
//	  new user, mount, PID, IPC and     descriptors     descriptors.go
//	  UTS namespaces                    die with helve
//	map users   users.go                wait
//	open gate ----------------------->  mounts          mounts.go
//	                                      everything read-only; workspace back, or
//	                                      an overlay of it (overlay.go);
//	                                      own /tmp, /run, /dev (temp.go); caches
//	                                      as layers (layers.go); parents pinned;
//	                                      protected paths read-only; secrets hidden
//	                                    own /proc
//	                                    limits          limits.go
//	                                    own network     network.go, or that of
//	                                      other commands, entered before the fork
//	                                      (loopback.go)
//	                                    its listener    listener.go
//	                                    capabilities    capabilities.go
//	                                    Landlock        landlock.go
//	                                    seccomp         seccomp_rules.go
//	                                    vfork, setsid, execve -->  the command
//	wait  <------- started, ended ----  pass signals on, reap
//	Finish      finish.go
//	  kill the child: the kernel kills all that is left
//	Restored    restore.go              (protected paths that did not exist)
//
// # Landlock, without user namespaces
//
//	helve                               a thread that is never used again
//	-----                               --------------------------------------
//	snapshot    snapshot.go
//	new thread ---------------------->  landlock_start.go
//	                                    rules           landlock_rules.go
//	                                    capabilities, Landlock, seccomp
//	                                    fork, setsid, execve -->   the command,
//	                                                    confined as the thread is
//	limits      limits.go               keep the thread: its end would kill it
//	answer chmod, chown, utime and
//	  xattr calls  metadata.go
//	make files  born.go             (for both kinds)
//	Finish      finish.go
//	  kill descendants until none is left; helve is their subreaper
//	Restored    restore.go
//
// # Invariants
//
// The child is a fork of a Go process with one thread and no runtime. It must not
// allocate, lock or grow its stack. So every call that it makes is prepared before as
// a script, with all memory that it points to, and its functions are nosplit.
//
// Order matters. Mounts are copied before everything becomes read-only and attached
// after directories above are replaced. A pinned directory is a mount point, because
// only that cannot be renamed: without the pin, "mv .git x; mkdir -p .git/hooks" gets
// around a read-only .git/hooks. Nothing is mounted where nothing exists, as that
// would create files in the workspace; such paths are put back afterwards.
// seccomp is last, because it refuses the calls of the steps before it. Capabilities
// are dropped in both kinds: with them, root could read the environment of other
// processes in spite of Landlock.
//
// A filter of seccomp compares arguments in registers only; what is in memory could
// change after the check. So clone3 and openat2 do not exist in a sandbox, and calls that
// Landlock does not control are never let through but made by helve on a descriptor; so
// are those that give files names, in both kinds (born.go).
//
// The command is in a session of its own without a terminal, has no descriptors but
// the standard ones, and cannot look into the child, which has helve's memory.
//
// What only ends processes more surely may be refused, as emulators do; the report says
// so (wishes.go). no_new_privs, the filter and the rules may not.
//
// # Tried and dropped
//
// bwrap: it must be installed, has no fallback where there are no user namespaces,
// doubles the time of a call, and leaves vsock, keyctl and io_uring open. Starting
// helve again to confine itself: 3.9 ms where a confined thread takes 2.3. Landlock
// alone: it cannot protect a path inside a writable directory. Filters on bind, listen
// or sendto: they break Python's multiprocessing and asyncio, while a network namespace
// or a filter on the family of socket does not.
package linux
