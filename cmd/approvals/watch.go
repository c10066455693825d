package approvals

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
)

// watchApprovalsCommand is "helve approvals watch".
func watchApprovalsCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use: "watch", Args: out.Args(0, 0),
		Short: p.Text("Decide about requests as they come; elsewhere than on a terminal, print each as a line"),
		Long: p.Text("On a terminal, show the requests that wait for a person as they come, and decide about them with keys: a approves, s for the rest of the session, r by a rule, d denies with words that the model reads.\n" +
			"Elsewhere, with -o and with --no-input the output is a stream: a line of JSON for each request that is kept, and for each that is new or has changed its state, until Ctrl-C."),
		Example: p.Examples("helve approvals watch", p.Text("a line for each request, until Ctrl-C")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if p.Terminal() && p.Form() == "" && !h.NoInput && h.Terminal != nil && host.Screens() {
				if err := host.Personal(fault.T("approve calls")); err != nil {
					return err
				}
				if tty, err := process.OpenScreen(); err == nil {
					return watchOnScreen(cmd.Context(), h, p, tty, all)
				}
			}
			return watchAsLines(cmd.Context(), h, p, all)
		},
	}
	c.Flags().BoolVar(&all, "all", false, p.Text("the requests of all workspaces, not only of this one"))
	return c
}

// watchAsLines prints a line for each request that is new or has changed.
func watchAsLines(ctx context.Context, h *host.Host, p *out.Printer, all bool) error {
	p.Lines()
	lines := p.LineWriter()
	for w, err := range h.WatchApprovals(ctx, all) {
		switch {
		case fault.Is(err, fault.Canceled):
			return nil // the interruption is the end that was asked for
		case err != nil && w.Root != "":
			p.Log().Error("a workspace is not watched", "root", w.Root, "err", err)
			continue
		case err != nil:
			return err
		}
		text, err := schema.Marshal(w.Request)
		if err != nil {
			return err
		}
		if p.AsText() {
			line := fmt.Sprintf("%s  %-8s  %s  %s  %s", w.Created.UTC().Format(time.DateTime), w.State, w.ID, w.Tool, w.Args)
			text = []byte(strings.ReplaceAll(approval.Visible(line), "\n", `\n`))
		}
		if _, err := lines.Write(text); err != nil {
			return nil // nobody reads any more
		}
	}
	return nil
}

// watchOnScreen lets the person decide on the terminal, which it gives back.
func watchOnScreen(ctx context.Context, h *host.Host, p *out.Printer, tty *process.Screen, all bool) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	w := &watcher{
		ctx: ctx, h: h, tty: tty, lang: p.Lang, colour: host.Colours(), all: all, now: time.Now,
		changes: make(chan arrival), typed: make(chan []byte), done: make(chan decided),
	}
	defer w.under.Wait() // calls that are running end first, so that what came of them is kept
	defer cancel()
	defer func() { err = firstOf(err, tty.Close()) }()
	w.follow()
	return w.run()
}

// firstOf returns the first error of two.
func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
