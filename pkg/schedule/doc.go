// Package schedule keeps jobs and runs each at its times: every slot once, whichever
// processes are awake, through a store that they share. What a job does is carried out
// by whoever starts the scheduler; this package only says when, and keeps the record.
//
// # Slots
//
// A slot is a job and one of its times. The record of a job has a cursor: all slots up to
// it have been dealt with. A scheduler claims the next slot in one transaction, which
// moves the cursor and puts the record of the run, if there is none yet. So of several
// schedulers one gets the slot, and a run has the same id whoever carries it out.
//
// A slot before the moment since when the scheduler has been awake is late. The job says
// what becomes of it ([MissedOnce] and the others). After a suspension, and after the
// clock was set forward, a scheduler counts as awake only since then.
//
// If the clock is set back, the cursor is ahead of it, and no slot comes twice. If it is
// ahead by more than three hours, the clock was wrong before and is right now, as cron(8)
// has it: the cursor is set to the new time, and only slots that have a record are left out.
//
// # Runs
//
//	queued -> running -> ok | error | timeout | skipped | missed | lost
//
// The end of a run, what it means for the job, and the message with its output are one
// transaction, which demands that the run still belongs to this scheduler. Who runs
// something has a record with a heartbeat. If the process has died (on the same machine
// that is known at once; else when its heart has not beaten for [deadAfter]), others find
// the run, and it has failed, or runs again if its job says so. A failed run that may be
// tried again is queued again under the same id.
//
// # Keys
//
//	cron/jobs/ID            the job, and how far it has come
//	cron/runs/ID/SLOT       its runs, of which the newest are kept
//	cron/added/HASH         the ID of the job that somebody added with these arguments
//	cron/removed/TIME@ID    a job that is gone, and whose runs are kept for a while
//	cron/schedulers/ID      a process that runs jobs, and its heartbeat
//	cron/leader             the ID of the scheduler that starts the runs
package schedule
