package schedule

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

const (
	maxMissed    = 100              // that run under MissedAll
	maxCounted   = 1000             // missed slots; more are "more than"
	onceGrace    = time.Hour        // how late a slot runs under MissedOnce, unless the job says
	tickInterval = 90 * time.Second // between two calls of Tick, roughly
	setBack      = 3 * time.Hour    // by more, and the clock was wrong before; see cron(8)
)

// next returns the first slot after a time.
func (j *Job) next(after time.Time) (time.Time, bool) {
	slot, ok := j.Timing.Next(after)
	if !ok || !j.ExpiresAt.IsZero() && slot.After(j.ExpiresAt) {
		return time.Time{}, false
	}
	return slot.UTC(), true
}

// due returns when the run of a slot begins.
func (j *Job) due(slot time.Time) time.Time {
	if j.Jitter == 0 {
		return slot
	}
	sum := sha256.Sum256([]byte(j.ID + "@" + slot.UTC().Format(time.RFC3339Nano)))
	return slot.Add(time.Duration(binary.BigEndian.Uint32(sum[:])%uint32(j.Jitter+1)) * time.Second)
}

// span is slots one after the other that do not run.
type span struct {
	first, last time.Time
	count       int // at most maxCounted+1
}

// step is the next thing to do about the slots of a job.
type step struct {
	missed span      // slots to note as missed, before the other one
	slot   time.Time // to run; zero is none
	late   bool      // it passed before the scheduler was awake
	wake   time.Time // when there may be more to do, if there is nothing now; zero is never
}

// ahead reports whether the cursor is far in the future: the clock was wrong when it was
// moved.
func (j *Job) ahead(now time.Time) bool { return j.State.Cursor.After(now.Add(setBack)) }

// step looks at the slots of the job that have come. The scheduler has been awake since
// awake.
func (j *Job) step(now, awake time.Time) step {
	slot, ok := j.next(j.State.Cursor)
	if !ok {
		return step{}
	}
	if due := j.due(slot); due.After(now) {
		return step{wake: due}
	}
	if !slot.Before(awake) {
		return step{slot: slot}
	}
	slots, count := j.late(now, awake)
	keep := j.catchUp(slots, now)
	s := step{late: true}
	if n := count - len(keep); n > 0 {
		if count > maxCounted {
			n = count
		}
		s.missed = span{first: slot, last: slots[len(slots)-len(keep)-1], count: n}
	}
	if len(keep) > 0 {
		s.slot = keep[0]
	}
	return s
}

// catchUp returns those of the late slots that are to run, which are the last ones.
func (j *Job) catchUp(slots []time.Time, now time.Time) []time.Time {
	latest := slots[len(slots)-1:]
	tolerance := tickInterval
	if next, ok := j.next(latest[0]); ok {
		tolerance = min(tolerance, next.Sub(latest[0])/2)
	}
	keep := latest
	if j.Missed == MissedAll {
		keep = slots[max(0, len(slots)-maxMissed):]
	}
	for len(keep) > 0 && !j.inTime(keep[0], now) {
		keep = keep[1:]
	}
	if j.Missed == MissedSkip {
		keep = nil
	}
	if len(keep) == 0 && now.Sub(j.due(latest[0])) <= tolerance {
		return latest
	}
	return keep
}

// inTime reports whether the grace of the job lets a late slot run.
func (j *Job) inTime(slot, now time.Time) bool {
	late := now.Sub(j.due(slot))
	if j.Grace != nil {
		return late <= time.Duration(*j.Grace)*time.Second
	}
	_, recurs := j.Timing.Next(slot)
	return late <= onceGrace || j.Missed == MissedAll || !recurs
}

// late returns the slots after the cursor that came before the scheduler was awake, at
// least one: the last of them, and how many there are, up to maxCounted+1.
func (j *Job) late(now, awake time.Time) (slots []time.Time, count int) {
	cursor := j.State.Cursor
	for at := cursor; len(slots) <= maxCounted; {
		slot, ok := j.next(at)
		if !ok || !slot.Before(awake) || j.due(slot).After(now) {
			return slots, len(slots)
		}
		slots, at = append(slots, slot), slot
	}
	// There may be millions. The last of them are sought in ever longer spans of time.
	until := now.Add(-time.Duration(j.Jitter) * time.Second)
	if awake.Before(until) {
		until = awake
	}
	for width := time.Minute; ; width *= 2 {
		from := until.Add(-width)
		if !from.After(cursor) {
			from = cursor
		}
		if last := j.between(from, until); len(last) > maxMissed {
			return last, maxCounted + 1
		}
		if from.Equal(cursor) {
			return slots, len(slots) // most are not due yet, because of the jitter
		}
	}
}

// between returns the last slots after one time and before another.
func (j *Job) between(from, until time.Time) []time.Time {
	var slots []time.Time
	for at := from; ; {
		slot, ok := j.next(at)
		if !ok || !slot.Before(until) {
			return slots
		}
		if len(slots) == 2*maxMissed {
			slots = slots[:copy(slots, slots[maxMissed:])]
		}
		slots, at = append(slots, slot), slot
	}
}
