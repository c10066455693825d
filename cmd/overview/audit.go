package overview

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
)

// Query selects records of the audit log. The zero value selects all.
type Query struct {
	Tool    string    // by its own name; "" is any
	Since   time.Time // records of this moment and later
	Event   string    // "" is any
	Session string    // "" is any
	Outcome string    // a code, "ok", or "failed" for every code but ok; "" is any
	Text    string    // that the record contains, in any case; "" is any
}

// Audited is the part of a record that is selected by or shown as text.
type Audited struct {
	At       time.Time `json:"at"`
	Event    string    `json:"event"`
	Session  string    `json:"session"`
	Tool     string    `json:"tool"`
	Paths    []string  `json:"paths"`
	Outcome  string    `json:"outcome"`
	Duration int64     `json:"duration_ms"`

	Decision *tool.Decision `json:"decision"`
}

// Read reads a record; ok is false for a damaged one.
func Read(record []byte) (r Audited, ok bool) {
	err := json.Unmarshal(record, &r)
	return r, err == nil && r.Tool != ""
}

// Selects reports whether a record is wanted. text is the record as it is kept.
func (q *Query) Selects(r *Audited, text []byte) bool {
	switch {
	case q.Tool != "" && r.Tool != q.Tool, r.At.Before(q.Since), q.Event != "" && r.Event != q.Event, q.Session != "" && r.Session != q.Session:
		return false
	case q.Outcome == "failed" && (r.Outcome == "" || r.Outcome == "ok"), q.Outcome != "" && q.Outcome != "failed" && r.Outcome != q.Outcome:
		return false
	}
	return q.Text == "" || contains(text, q.Text)
}

// contains reports whether a text contains another one, whatever the case of its letters.
func contains(text []byte, part string) bool {
	return strings.Contains(strings.ToLower(string(text)), strings.ToLower(part))
}

// Line returns a record as people read it.
func (r *Audited) Line() string {
	text := fmt.Sprintf("%s  %-8s  %s  %s", r.At.UTC().Format(time.DateTime), r.Event, r.Session, r.Tool)
	if r.Outcome != "" {
		text += "  " + r.Outcome
	}
	if r.Event == "answered" {
		text += fmt.Sprintf("  %d ms", r.Duration)
	}
	if d := r.Decision; d != nil && d.By != string(policy.ByDefault) {
		text += "  (" + strings.Join(slices.DeleteFunc([]string{d.Verdict, d.By, d.Rule, d.Approval}, func(s string) bool { return s == "" }), " ") + ")"
	}
	if len(r.Paths) > 0 {
		text += "  " + strings.Join(r.Paths, ", ")
	}
	// A record stays one line, whatever names it contains.
	return strings.ReplaceAll(approval.Visible(text), "\n", `\n`)
}
