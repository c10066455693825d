package approval

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// maxOutcome is the largest outcome, in bytes, that is kept whole. Of a larger one
// the result is left out.
const maxOutcome = 2 << 20

// Outcome is the outcome of a call that ran. It is kept for callers that come back with
// the same approval.
type Outcome struct {
	Data     json.RawMessage `json:"data,omitempty"`    // the result; nil with a failure, and if it is too large
	Text     Words           `json:"text,omitzero"`     // the result as people and models read it
	Exit     int             `json:"exit,omitzero"`     // status of the command that ran
	Failure  *Failure        `json:"failure,omitempty"` // nil if the call succeeded
	Warnings []Words         `json:"warnings,omitempty"`
	Ended    time.Time       `json:"ended"`
}

// Status returns the exit status of the command that ran.
func (o *Outcome) Status() int { return o.Exit }

// Failure is an error as it is stored.
type Failure struct {
	Code    fault.Code `json:"code"`
	Message Words      `json:"message"`
	Hint    Words      `json:"hint,omitzero"`
	Details details    `json:"details,omitzero"`
	Worded  bool       `json:"worded,omitzero"` // the message says what is in the details
}

// details are those of an error in both languages, as JSON.
type details struct {
	En json.RawMessage `json:"en,omitempty"`
	Zh json.RawMessage `json:"zh,omitempty"`
}

// In returns the details in a language.
func (d details) In(lang fault.Lang) any {
	if lang == fault.Chinese {
		return d.Zh
	}
	return d.En
}

type wordedDetails struct{ details }

// Worded marks the details as listed in the message.
func (wordedDetails) Worded() {}

// FailureOf returns an error to be stored.
func FailureOf(err error) *Failure {
	e := fault.As(err)
	f := &Failure{Code: e.Code, Message: WordsOf(e.Message), Hint: WordsOf(e.Hint)}
	_, f.Worded = e.Details.(fault.Worded)
	in := func(lang fault.Lang) json.RawMessage {
		said := e.Details
		if localized, ok := said.(interface{ In(fault.Lang) any }); ok {
			said = localized.In(lang)
		}
		if said == nil {
			return nil
		}
		text, err := schema.Marshal(said)
		if err != nil {
			return nil // the error itself says enough
		}
		return text
	}
	f.Details = details{in(fault.English), in(fault.Chinese)}
	return f
}

// Err returns the error as it was.
func (f *Failure) Err() *fault.Error {
	e := fault.New(f.Code, f.Message.Text()).WithHint(f.Hint.Text())
	switch {
	case f.Details.En == nil:
	case f.Worded:
		e = e.WithDetails(wordedDetails{f.Details})
	default:
		e = e.WithDetails(f.Details)
	}
	return e
}

// keptOutcome is the content of an outcome's file.
type keptOutcome struct {
	ID string `json:"id"`
	Outcome
}

// Finish records the outcome of a call that was redeemed, and lets go of it:
// nobody waits for it any more.
func (s *Store) Finish(id string, o Outcome) error {
	o.Ended = s.dir.Now().UTC()
	err := s.putOutcome(id, o)
	s.mu.Lock()
	defer s.mu.Unlock()
	if release := s.running[id]; release != nil {
		delete(s.running, id)
		err = errors.Join(err, release())
	}
	return err
}

func (s *Store) putOutcome(id string, o Outcome) error {
	key, err := s.key(false)
	if err != nil {
		return err
	}
	data, err := seal(keptOutcome{id, o}, key)
	if err == nil && len(data) > maxOutcome {
		o.Data, o.Text = nil, Words{}
		if o.Failure != nil {
			o.Failure.Details = details{}
		}
		o.Warnings = []Words{WordsOf(omitted(len(data)))}
		data, err = seal(keptOutcome{id, o}, key)
	}
	if err != nil {
		return err
	}
	return s.dir.WriteFile(outcomeFile(id), data)
}

// outcome returns the outcome that is kept of a request; nil if there is none.
func (s *Store) outcome(id string) (*Outcome, error) {
	data, err := s.dir.ReadFile(outcomeFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	key, err := s.key(false)
	if err != nil {
		return nil, err
	}
	var kept keptOutcome
	if text, ok := unseal(data, key); !ok || json.Unmarshal(text, &kept) != nil || kept.ID != id {
		return nil, damagedOutcome(id)
	}
	return &kept.Outcome, nil
}

// Outcome returns what a used request came to. It is nil while the call is carried
// out. The error is approval_invalid if the process that did so ended without
// recording it.
func (s *Store) Outcome(id string) (*Outcome, error) {
	if o, err := s.outcome(id); o != nil || err != nil {
		return o, err
	}
	release, free, err := s.dir.Claim(runKey(id))
	if err != nil || !free {
		return nil, err
	}
	defer func() { _ = release() }()                     // nobody else wants it
	if o, err := s.outcome(id); o != nil || err != nil { // it ended in between
		return o, err
	}
	return nil, lost(id)
}

// AwaitOutcome returns what a used request came to, once it has been carried out.
func (s *Store) AwaitOutcome(ctx context.Context, id string) (*Outcome, error) {
	tick := time.NewTicker(interval / 4)
	defer tick.Stop()
	for {
		if o, err := s.Outcome(id); o != nil || err != nil {
			return o, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

func outcomeFile(id string) string { return recordDir + "/" + id + ".outcome.json" }

// runKey names the lock that a process holds while it carries a request out.
func runKey(id string) string { return lockKey + " " + id }
