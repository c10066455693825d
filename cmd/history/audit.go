package history

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
)

// auditPoll is the interval at which --follow looks for new records.
const auditPoll = time.Second

// Audit is "helve audit": the log of calls.
func Audit(h *host.Host, p *out.Printer) *cobra.Command {
	var name string
	var since time.Duration
	var follow bool
	var limit int
	c := &cobra.Command{
		Use: "audit", Args: out.Args(0, 0),
		Short:   p.Text("List the calls of the workspace, the oldest first"),
		Example: p.Examples("helve audit --since 1h", p.Text("the calls of the last hour")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			env := h.Workspace()
			q := overview.Query{Tool: line.Canonical(name)} // the name under which calls are logged
			if cmd.Flags().Changed("since") {
				if since <= 0 {
					return fault.New(fault.Usage, fault.T("--since %v: want a duration above zero", since)).
						WithHint(fault.T("such as 90s, 15m or 24h"))
				}
				q.Since = env.Now().Add(-since)
			}
			if limit < 0 || limit > 0 && follow {
				return fault.New(fault.Usage, fault.T("--limit %d: want a number above zero, and no --follow", limit)).
					WithHint(fault.T("such as --limit 20"))
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
				return followAudit(cmd.Context(), p, log, q)
			}
			return listAudit(p, log, q, limit)
		},
	}
	f := c.Flags()
	f.DurationVar(&since, "since", 0, p.Text("only calls of this period up to now, such as 1h"))
	f.StringVar(&name, "tool", "", p.Text("only calls of this tool"))
	f.IntVar(&limit, "limit", 0, p.Text("only the newest calls, at most so many"))
	f.BoolVar(&follow, "follow", false, p.Text("print each as a line and go on with new ones, until interrupted"))
	return c
}

// disorder is the time by which a record may be older than one before it: that of a clock
// that is set, and of calls at the same time.
const disorder = time.Hour

// listAudit prints the records that a query selects, at most limit; 0 means all. It reads
// the log from its end, and no more of it than it has to.
func listAudit(p *out.Printer, log *state.Log, q overview.Query, limit int) error {
	entries := []json.RawMessage{}
	unreadable, all := 0, true
	for record, err := range log.Newest() {
		if fault.Is(err, fault.TooLarge) {
			unreadable++
			continue
		}
		if err != nil {
			return err
		}
		r, ok := overview.Read(record)
		if !ok {
			unreadable++
			continue
		}
		if r.At.Before(q.Since.Add(-disorder)) || limit > 0 && len(entries) == limit {
			all = false
			break
		}
		if q.Selects(&r, record) {
			entries = append(entries, slices.Clone(record))
		}
	}
	slices.Reverse(entries)
	var text strings.Builder
	if p.AsText() {
		for _, record := range entries {
			if r, ok := overview.Read(record); ok {
				text.WriteString(r.Line() + "\n")
			}
		}
	}
	var warnings []fault.Text
	dropped, err := log.Dropped()
	if err != nil {
		return err
	}
	if all && dropped > 0 {
		warnings = append(warnings, fault.T("%d older records were dropped to keep the log small; audit.megabytes sets how much it keeps", dropped))
	}
	if unreadable > 0 {
		warnings = append(warnings, fault.T("%d damaged lines of the log were left out", unreadable))
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "entries", Value: entries}}, Text: text.String(), Warnings: warnings})
}

// followAudit prints the records of the log and then those that are added.
func followAudit(ctx context.Context, p *out.Printer, log *state.Log, q overview.Query) error {
	p.Lines()
	follower := log.Follow()
	poll := time.NewTicker(auditPoll)
	defer poll.Stop()
	for {
		for record, err := range follower.Records() {
			switch {
			case fault.Is(err, fault.TooLarge): // not the record of a call
				continue
			case err != nil:
				return err
			}
			if r, ok := overview.Read(record); ok && q.Selects(&r, record) && !printRecord(p, record, &r) {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-poll.C:
		}
	}
}

// printRecord prints one record, and reports whether anybody still reads.
func printRecord(p *out.Printer, record []byte, r *overview.Audited) bool {
	text := string(record)
	if p.AsText() {
		text = r.Line()
	}
	_, err := p.Stdout.Write([]byte(text + "\n"))
	return err == nil
}
