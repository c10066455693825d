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

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// auditPoll is how often --follow looks for new records. The log is read from its
// beginning each time.
const auditPoll = time.Second

// auditCommand is "helve audit": the log of calls.
func auditCommand(h *host.Host, out *Printer) *cobra.Command {
	var name string
	var since time.Duration
	var follow bool
	c := &cobra.Command{
		Use: "audit", Args: takes(0, 0),
		Short: out.Text("List the calls of the workspace, the oldest first", "列出工作区的调用，最早的在前"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			env := h.Workspace()
			q := auditQuery{tool: canonical(name)} // the name under which calls are logged
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
			log, err := d.Log("audit", state.LogBytes)
			if err != nil {
				return err
			}
			if follow {
				return followAudit(cmd.Context(), out, log, q)
			}
			return listAudit(out, log, q)
		},
	}
	f := c.Flags()
	f.DurationVar(&since, "since", 0, out.Text("only calls of this period up to now, such as 1h", "只列出最近这段时间内的调用，例如 1h"))
	f.StringVar(&name, "tool", "", out.Text("only calls of this tool", "只列出此工具的调用"))
	f.BoolVar(&follow, "follow", false, out.Text("print each as a line and go on with new ones, until interrupted", "逐行输出，并继续输出新的调用，直到被中断"))
	return c
}

// auditQuery selects records.
type auditQuery struct {
	tool  string // "" is any
	since time.Time
}

// audited is the part of a record that is selected by or shown as text.
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

// match reads a record and reports whether it is wanted; bad says that it cannot
// be read.
func (q auditQuery) match(record []byte) (r audited, wanted, bad bool) {
	if json.Unmarshal(record, &r) != nil || r.Tool == "" {
		return r, false, true
	}
	return r, (q.tool == "" || r.Tool == q.tool) && !r.At.Before(q.since), false
}

// line returns a record as people read it.
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
	// A record stays one line, whatever names it contains.
	return strings.ReplaceAll(approval.Visible(text), "\n", `\n`)
}

func listAudit(out *Printer, log *state.Log, q auditQuery) error {
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
	return out.Report(report{data: schema.Document{{Name: "entries", Value: entries}}, text: text.String(), warnings: warnings})
}

// followAudit prints the records of the log and then those that are added. Records
// are told apart by their bytes, which contain the time and the process, because
// the log may start afresh in between.
func followAudit(ctx context.Context, out *Printer, log *state.Log, q auditQuery) error {
	out.Lines()
	var last []byte // the last record that was printed
	poll := time.NewTicker(auditPoll)
	defer poll.Stop()
	for {
		fresh, err := recordsAfter(log, last)
		if err != nil {
			return err
		}
		for _, record := range fresh {
			last = record
			if r, wanted, _ := q.match(record); wanted {
				if !printRecord(out, record, &r) {
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

// recordsAfter returns the records after the last one, all of them if the log no
// longer has it.
func recordsAfter(log *state.Log, last []byte) ([][]byte, error) {
	var fresh [][]byte
	for record, err := range log.Records() {
		switch {
		case fault.Is(err, fault.TooLarge): // not the record of a call
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

// printRecord prints one record, and reports whether anybody still reads.
func printRecord(out *Printer, record []byte, r *audited) bool {
	text := string(record)
	if out.text() {
		text = r.line()
	}
	_, err := out.out.Write([]byte(text + "\n"))
	return err == nil
}
