package track

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/state/journal"
)

// Diff returns what a change did to the text of a file; an empty one if a side is not at
// hand or is no text. present returns the bytes that a file has now, and is asked for a
// side that the history does not keep; nil leaves such a side out.
func Diff(j *journal.Journal, c journal.Changed, present func(path string) ([]byte, error)) diff.Diff {
	before, ok1 := side(j, c.Before, c.Path, nil)
	after, ok2 := side(j, c.After, c.Path, present)
	if !ok1 || !ok2 {
		return diff.Diff{}
	}
	f := diff.Modified(c.Path)
	switch {
	case c.From != "" && c.From != c.Path:
		f = diff.Renamed(c.From, c.Path)
	case c.Before == nil:
		f = diff.Created(c.Path)
	case c.After == nil:
		f = diff.Deleted(c.Path)
	}
	return diff.Unified(f, before, after, diff.Limit{})
}

// side returns the text of one side of a change.
func side(j *journal.Journal, s *journal.State, path string, present func(path string) ([]byte, error)) (string, bool) {
	if s == nil {
		return "", true
	}
	if s.Kind != journal.File {
		return "", false
	}
	raw, err := j.Saved(s.SHA) // also what another change keeps
	if err != nil {
		if present == nil || s.SHA == "" {
			return "", false
		}
		if raw, err = present(path); err != nil || sum(raw) != s.SHA {
			return "", false // it has changed since
		}
	}
	d, err := text.Decode(raw, "")
	if err != nil {
		return "", false
	}
	return d.Text, true
}

func sum(raw []byte) string {
	h := sha256.Sum256(raw)
	return hex.EncodeToString(h[:])
}
