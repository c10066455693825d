package schedule

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Bounds and defaults of a job. Times are in seconds.
const (
	maxJobs    = 1000
	maxRetries = 20
	maxJitter  = 60 * 60
	maxName    = 64       // characters
	maxText    = 64 << 10 // bytes of an action

	maxSeconds      = 366 * 24 * 60 * 60
	defaultTimeout  = 60 * 60
	defaultBackoff  = 10
	defaultFailures = 10
)

// check checks a job with its defaults. The fault is invalid_arguments, with all that
// is wrong.
func (j *Job) check() error {
	var wrong schema.Problems
	add := func(pointer string, what fault.Text) {
		wrong = append(wrong, schema.Problem{Pointer: pointer, Message: what})
	}
	if utf8.RuneCountInString(j.Name) > maxName || strings.ContainsFunc(j.Name, func(c rune) bool { return !unicode.IsPrint(c) }) {
		add("/name", fault.T("want one line of up to %d characters", maxName))
	}
	if (j.Origin.Channel == "") != (j.Origin.To == "") {
		add("/to", fault.T("a channel and a conversation in it go together"))
	}
	if err := j.Timing.Validate(); err != nil {
		add("/timing", fault.As(err).Message)
	}
	j.Action.check(add)
	if j.When != nil {
		j.When.Call.check("/when", add)
	}
	for _, one := range []struct {
		name, value string
		known       []string
	}{
		{"/missed", j.Missed, []string{MissedSkip, MissedOnce, MissedAll}},
		{"/overlap", j.Overlap, []string{OverlapSkip, OverlapQueue, OverlapParallel}},
		{"/deliver", j.Deliver, []string{DeliverAlways, DeliverOutput, DeliverChange, DeliverFailures, DeliverNever}},
		{"/on_lost", j.OnLost, []string{LostFail, LostRerun}},
	} {
		if !slices.Contains(one.known, one.value) {
			add(one.name, fault.T("%q is none of %s", one.value, strings.Join(one.known, ", ")))
		}
	}
	grace := 0
	if j.Grace != nil {
		grace = *j.Grace
	}
	for _, one := range []struct {
		name             string
		value, min, most int
	}{
		{"/grace_seconds", grace, 0, maxSeconds},
		{"/timeout_seconds", j.Timeout, 1, maxSeconds},
		{"/retries", j.Retries, 0, maxRetries},
		{"/backoff_seconds", j.Backoff, 1, maxSeconds},
		{"/jitter_seconds", j.Jitter, 0, maxJitter},
		{"/max_runs", j.MaxRuns, 0, 1 << 30},
		{"/max_failures", j.MaxFailures, -1, 1 << 30},
	} {
		if one.value < one.min || one.value > one.most {
			add(one.name, fault.T("%d is not from %d to %d", one.value, one.min, one.most))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	texts := make([]fault.Text, len(wrong))
	for i, p := range wrong {
		texts[i] = fault.T("%s: %s", p.Pointer, p.Message)
	}
	return fault.New(fault.InvalidArguments, fault.T("invalid arguments: %s", fault.Join(texts, "; "))).WithDetails(wrong)
}

func (a *Action) check(add func(string, fault.Text)) {
	given := 0
	for _, is := range []bool{a.Message != "", a.Exec != "", len(a.Argv) > 0, a.Call != nil, a.Spawn != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		add("/action", fault.T("want exactly one of message, exec, argv, call and spawn"))
	}
	bytes := len(a.Message) + len(a.Exec) + len(a.Spawn)
	for _, arg := range a.Argv {
		bytes += len(arg)
	}
	if a.Message != "" && strings.TrimSpace(a.Message) == "" {
		add("/action/message", fault.T("is empty"))
	}
	if a.Spawn != "" && strings.TrimSpace(a.Spawn) == "" {
		add("/action/spawn", fault.T("is empty"))
	}
	if len(a.Argv) > 0 && a.Argv[0] == "" {
		add("/action/argv/0", fault.T("is empty: want the name of a program"))
	}
	if bytes > maxText {
		add("/action", fault.T("has %d bytes, at most %d are kept", bytes, maxText))
	}
	if a.Call != nil {
		a.Call.check("/action/call", add)
	}
}

func (c *Call) check(pointer string, add func(string, fault.Text)) {
	if c.Name == "" {
		add(pointer+"/name", fault.T("is missing: the name of a tool"))
	}
	if len(c.Arguments) > maxText {
		add(pointer+"/arguments", fault.T("has %d bytes, at most %d are kept", len(c.Arguments), maxText))
	}
	if args := bytes.TrimSpace(c.Arguments); len(args) > 0 && (args[0] != '{' || !json.Valid(args)) {
		add(pointer+"/arguments", fault.T("want a JSON object"))
	}
}

// checkNew checks what only a job that is added or changed must fulfil.
func (j *Job) checkNew(now time.Time) error {
	if err := j.check(); err != nil {
		return err
	}
	if !j.ExpiresAt.IsZero() && !j.ExpiresAt.After(now) {
		return schema.Invalid("/expires_at", fault.T("%s has passed", j.ExpiresAt.Format(time.RFC3339))).
			WithHint(fault.T("pass a later time, or none"))
	}
	if _, ok := j.next(now); !ok {
		return schema.Invalid("/timing", fault.T("it never runs")).
			WithHint(fault.T("pass a time to come"))
	}
	return nil
}
