package cmd

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
)

// watchApprovalsCommand is "helve approvals watch".
func watchApprovalsCommand(h *host.Host, out *Printer) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use: "watch", Args: takes(0, 0),
		Short: out.Text("Decide about requests as they come; elsewhere than on a terminal, print each as a line"),
		Long: out.Text("On a terminal, show the requests that wait for a person as they come, and decide about them with keys: a approves, s for the rest of the session, r by a rule, d denies with words that the model reads.\n" +
			"Elsewhere, with -o and with --no-input the output is a stream: a line of JSON for each request that is kept, and for each that is new or has changed its state, until Ctrl-C."),
		Example: out.Examples("helve approvals watch", out.Text("a line for each request, until Ctrl-C")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out.terminal() && out.form() == "" && !h.NoInput && h.Terminal != nil && host.Screens() {
				if err := host.Personal(fault.T("approve calls")); err != nil {
					return err
				}
				if tty, err := process.OpenScreen(); err == nil {
					return watchOnScreen(cmd.Context(), h, out, tty, all)
				}
			}
			return watchAsLines(cmd.Context(), h, out, all)
		},
	}
	c.Flags().BoolVar(&all, "all", false, out.Text("the requests of all workspaces, not only of this one"))
	return c
}

// watchAsLines prints a line for each request that is new or has changed.
func watchAsLines(ctx context.Context, h *host.Host, out *Printer, all bool) error {
	out.Lines()
	lines := out.lineWriter()
	for w, err := range h.WatchApprovals(ctx, all) {
		switch {
		case fault.Is(err, fault.Canceled):
			return nil // the interruption is the end that was asked for
		case err != nil && w.Root != "":
			out.log().Error("a workspace is not watched", "root", w.Root, "err", err)
			continue
		case err != nil:
			return err
		}
		text, err := schema.Marshal(w.Request)
		if err != nil {
			return err
		}
		if out.text() {
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
func watchOnScreen(ctx context.Context, h *host.Host, out *Printer, tty *process.Screen, all bool) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	w := &watcher{
		ctx: ctx, h: h, tty: tty, lang: out.Lang, colour: host.Colours(), all: all, now: time.Now,
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
