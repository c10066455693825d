package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/limit"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// auditCommand is "helve audit": the log of calls.
func (a *app) auditCommand() *cobra.Command {
	var name string
	var since time.Duration
	var follow bool
	c := &cobra.Command{
		Use: "audit", Short: "List the calls of the workspace, the oldest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			env := a.Workspace()
			q := auditQuery{tool: canonical(name)} // under which it is logged
			if cmd.Flags().Changed("since") {
				if since <= 0 {
					return fault.New(fault.Usage, fault.T("--since %v: want a duration above zero", "--since %v：应为大于零的时长", since)).
						WithHint(fault.T("such as 90s, 15m or 24h", "例如 90s、15m 或 24h"))
				}
				q.since = env.Now().Add(-since)
			}
			d, err := env.State()
			if err != nil {
				return err
			}
			log, err := d.Log("audit", limit.LogBytes)
			if err != nil {
				return err
			}
			if follow {
				return a.followAudit(cmd.Context(), log, q)
			}
			return a.listAudit(log, q)
		},
	}
	f := c.Flags()
	f.DurationVar(&since, "since", 0, "only what was logged in this time up to now, such as 1h")
	f.StringVar(&name, "tool", "", "only calls of this tool")
	f.BoolVar(&follow, "follow", false, "print each as a line and go on with new ones, until interrupted")
	return c
}

// auditQuery says which records are wanted.
type auditQuery struct {
	tool  string // "" is any
	since time.Time
}

// audited is what is looked at of a record.
type audited struct {
	At       time.Time `json:"at"`
	Event    string    `json:"event"`
	Session  string    `json:"session"`
	Tool     string    `json:"tool"`
	Paths    []string  `json:"paths"`
	Outcome  string    `json:"outcome"`
	Duration int64     `json:"duration_ms"`

	Decision *tool.Decision `json:"decision"`
}

// match reads a record. bad reports that it is none.
func (q auditQuery) match(record []byte) (r audited, wanted, bad bool) {
	if json.Unmarshal(record, &r) != nil || r.Tool == "" {
		return r, false, true
	}
	return r, (q.tool == "" || r.Tool == q.tool) && !r.At.Before(q.since), false
}

func (r *audited) line() string {
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
	// One record is one line, whatever names are in it.
	return strings.ReplaceAll(approval.Visible(text), "\n", `\n`)
}

func (a *app) listAudit(log *state.Log, q auditQuery) error {
	entries := []json.RawMessage{}
	var text strings.Builder
	unreadable := 0
	for record, err := range log.Records() {
		if fault.Is(err, fault.TooLarge) {
			unreadable++
			continue
		}
		if err != nil {
			return err
		}
		r, wanted, bad := q.match(record)
		if bad {
			unreadable++
		}
		if wanted {
			entries = append(entries, slices.Clone(record))
			text.WriteString(r.line() + "\n")
		}
	}
	var warnings []fault.Text
	if unreadable > 0 {
		warnings = append(warnings, fault.T("%d damaged lines of the log were left out", "日志中有 %d 行已损坏，未列出", unreadable))
	}
	return a.report(report{data: schema.Document{{Name: "entries", Value: entries}}, text: text.String(), warnings: warnings})
}

// followAudit prints what is in the log and then what is added. Records are told
// apart by their bytes, in which the time and the process are: the log may begin
// afresh between two looks.
func (a *app) followAudit(ctx context.Context, log *state.Log, q auditQuery) error {
	a.answered = true // a log of no records has no document
	var last []byte   // the record up to which all is printed
	poll := time.NewTicker(limit.AuditPoll)
	defer poll.Stop()
	for {
		fresh, err := recordsAfter(log, last)
		if err != nil {
			a.answered = false
			return err
		}
		for _, record := range fresh {
			last = record
			if r, wanted, _ := q.match(record); wanted {
				if !a.line(record, &r) {
					return nil
				}
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-poll.C:
		}
	}
}

// recordsAfter gives the records behind the last one, all where that is no longer
// there.
func recordsAfter(log *state.Log, last []byte) ([][]byte, error) {
	var fresh [][]byte
	for record, err := range log.Records() {
		switch {
		case fault.Is(err, fault.TooLarge): // it cannot be a call's
		case err != nil:
			return nil, err
		case last != nil && bytes.Equal(record, last):
			fresh = fresh[:0]
		default:
			fresh = append(fresh, slices.Clone(record))
		}
	}
	return fresh, nil
}

// line prints one record, and reports whether anybody reads on.
func (a *app) line(record []byte, r *audited) bool {
	text := string(record)
	if a.flags.output == "text" {
		text = r.line()
	}
	_, err := a.out.Write([]byte(text + "\n"))
	return err == nil
}
