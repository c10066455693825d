// Package agent is the jobs of sub-agents: what each is to do, how far it has come, and
// how its result reaches whoever gave the task, whatever dies meanwhile. It runs no
// model and starts no process; the packages below it do.
//
//	agent             the jobs, in the store that processes share
//	agent/loop        a conversation with a model, until the task is done or a limit reached
//	agent/model       the client of a model's server
//	agent/program     an agent program of the person's in place of the loop
//	agent/transcript  what a sub-agent did, line by line, in a file
//	agent/worker      the processes that carry jobs out
//
// A job is one key of the store. Whoever spawns it adds it to the queue. A worker claims
// it, and is the only one to write it until it has ended. The end of a job and the
// message that tells of it are one transaction: there is never one without the other,
// and never a second one. The end of a worker that died is written by whoever notices.
package agent
