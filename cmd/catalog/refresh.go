package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// refreshed is the change of a server's tools.
type refreshed struct {
	Name string `json:"name"`
	upstream.Changes
	Pending  []string `json:"pending"` // tools that nobody has accepted as they are now
	Problems []string `json:"problems,omitempty"`
	Error    string   `json:"error,omitzero"`
}

// refreshCommand is "helve tools refresh".
func refreshCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var accept bool
	c := &cobra.Command{
		Use: "refresh [NAME]", Args: out.Args(0, 1),
		Short: p.Text("Ask imported servers again what tools they have"),
		Long: p.Text(`Ask an imported server, or all of them, what tools they have now, and show what changed.

A tool that is new, or of which the server says something else than before, waits until the person accepts that with --accept: models are shown what was accepted, and a person is asked about each call, whatever the rules say. A tool that is gone is removed.`),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("refresh imported tools")); err != nil {
				return err
			}
			s, err := h.Settings()
			if err != nil {
				return err
			}
			found := h.Records().List()
			if len(args) == 1 {
				if _, err := h.Records().Get(args[0]); err != nil {
					return err
				}
				found = slices.DeleteFunc(found, func(f upstream.Found) bool { return f.Name != args[0] })
			}
			var text strings.Builder
			all := []refreshed{}
			var failure error
			for _, f := range found {
				r := refreshed{Name: f.Name, Changes: upstream.Changes{Added: []string{}, Removed: []string{}, Changed: []string{}}, Pending: []string{}}
				err := f.Err
				if err == nil {
					err = r.refresh(cmd, s, f.Server, accept, p)
				}
				if err != nil {
					r.Error, failure = fault.As(err).Message.In(p.Lang), err
				}
				all = append(all, r)
				text.WriteString(r.text(p))
			}
			if len(all) == 1 && failure != nil {
				return failure
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "servers", Value: all}}, Text: text.String(), Failure: failure})
		},
	}
	c.Flags().BoolVar(&accept, "accept", false, p.Text("accept what the servers say of their tools now"))
	return c
}

func (r *refreshed) refresh(cmd *cobra.Command, s *host.Settings, server *upstream.Server, accept bool, p *out.Printer) error {
	fresh, changes, wrong, err := s.Refresh(cmd.Context(), server, accept)
	if err != nil {
		return err
	}
	r.Changes = changes
	for _, t := range fresh.Tools {
		if t.Changed {
			r.Pending = append(r.Pending, t.As)
		}
	}
	for _, w := range wrong {
		r.Problems = append(r.Problems, w.Message.In(p.Lang))
	}
	return nil
}

// text shows a change a line.
func (r *refreshed) text(p *out.Printer) string {
	var b strings.Builder
	switch {
	case r.Error != "":
		b.WriteString(r.Name + ": " + r.Error + "\n")
	case !r.Any():
		b.WriteString(p.Text("%s: nothing changed\n", r.Name))
	default:
		b.WriteString(r.Name + ":\n")
	}
	for _, one := range []struct {
		sign  string
		names []string
	}{{"+", r.Added}, {"-", r.Removed}, {"~", r.Changed}, {"!", r.Problems}} {
		for _, name := range one.names {
			b.WriteString("  " + one.sign + " " + name + "\n")
			if i := slices.IndexFunc(r.Differences, func(d upstream.Difference) bool { return d.Name == name }); i >= 0 && one.sign == "~" {
				b.WriteString(differenceText(&r.Differences[i], p))
			}
		}
	}
	if len(r.Pending) > 0 {
		b.WriteString(p.Text("  wait for --accept: %s\n", strings.Join(r.Pending, ", ")))
	}
	return b.String()
}

// differenceText shows what a server now says of a tool, a line for each part.
func differenceText(d *upstream.Difference, p *out.Printer) string {
	var b strings.Builder
	line := func(what fault.Text, c *upstream.Change, written func(string) string) {
		if c != nil {
			before, after := apart(c.Before, c.After)
			fmt.Fprintf(&b, "      %s: %s -> %s\n", what.In(p.Lang), written(before), written(after))
		}
	}
	line(fault.T("title"), d.Title, strconv.Quote)
	line(fault.T("description"), d.Description, strconv.Quote)
	line(fault.T("hints"), d.Hints, screen.Line)
	for _, name := range d.Added {
		b.WriteString(p.Text("      + argument %q\n", name))
	}
	for _, name := range d.Removed {
		b.WriteString(p.Text("      - argument %q\n", name))
	}
	for i := range d.Altered {
		a := &d.Altered[i]
		name := fault.T("argument %q", a.Name)
		if a.Before != a.After {
			line(name, &a.Change, screen.Line)
		}
		switch {
		case a.Required == nil:
		case *a.Required:
			b.WriteString(p.Text("      %s: now required\n", name))
		default:
			b.WriteString(p.Text("      %s: no longer required\n", name))
		}
	}
	if d.Schema {
		b.WriteString(p.Text("      the rest of the schema of its arguments\n"))
	}
	if d.Output {
		b.WriteString(p.Text("      the schema of its result\n"))
	}
	return b.String()
}

// The most that is shown of a text that has changed, and of what both have in common
// before the change, in characters.
const (
	shownChange  = 200
	shownContext = 40
)

// apart returns two texts from shortly before where they part, and not too much of each.
func apart(before, after string) (string, string) {
	b, a := []rune(before), []rune(after)
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	from := max(same-shownContext, 0)
	cut := func(text []rune) string {
		shown := string(text[from:min(from+shownChange, len(text))])
		if from > 0 {
			shown = "…" + shown
		}
		if from+shownChange < len(text) {
			shown += "…"
		}
		return shown
	}
	return cut(b), cut(a)
}

// tryServerCommand is "helve tools test".
func tryServerCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "test NAME", Args: out.Args(1, 1),
		Short: p.Text("Start or reach an imported server, and show whether it works"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("test imported servers")); err != nil {
				return err
			}
			s, err := h.Records().Get(args[0])
			if err != nil {
				return err
			}
			begun := time.Now()
			offer, err := h.Fetch(cmd.Context(), s)
			if err != nil {
				return err
			}
			took := time.Since(begun).Milliseconds()
			return p.Report(out.Report{
				Data: schema.Document{
					{Name: "name", Value: s.Name}, {Name: "ok", Value: true}, {Name: "server", Value: offer.Name}, {Name: "version", Value: offer.Version},
					{Name: "protocol", Value: offer.Protocol}, {Name: "tools", Value: len(offer.Tools)}, {Name: "duration_ms", Value: took},
				},
				Text: p.Text("%s works: %s %s, protocol %s, %d tools, %d ms\n", s.Name, offer.Name, offer.Version, offer.Protocol, len(offer.Tools), took),
			})
		},
	}
}
