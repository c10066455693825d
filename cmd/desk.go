package cmd

import (
	"errors"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/desk"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/web"
)

// deskCommand is "helve desk": the page on which a person decides and looks.
func deskCommand(h *host.Host, out *Printer) *cobra.Command {
	var closed bool
	var idle time.Duration
	c := &cobra.Command{
		Use: "desk", Args: takes(0, 0),
		Short: out.Text("Open a page in the browser to approve calls, and to see and undo what was done"),
		Long:  out.Text("Open a page in the browser, where a person approves or denies calls, follows what is done in all workspaces, and undoes changes. It is served to this machine alone, until Ctrl-C; its address has a token that lets in whoever knows it, so do not pass it on."),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if idle < 0 {
				return fault.New(fault.Usage, fault.T("--idle %v: want a duration that is not below zero", idle)).
					WithHint(fault.T("such as 30m; 0 is until Ctrl-C"))
			}
			if err := host.Personal(fault.T("open the desk")); err != nil {
				return err
			}
			ctx, stop := ending(cmd)
			defer stop()
			// The person is asked on the page, and not at this terminal.
			h.NoInput, h.Terminal, h.ApprovalFD, h.Approval, h.Wait = true, nil, 0, "", 0
			var mu sync.Mutex
			var others []*host.Host
			defer func() {
				for _, o := range others {
					o.Close()
				}
			}()
			d, err := desk.New(desk.Options{
				Lang: out.Lang, Version: h.Release(), Current: h, Known: h.Workspaces, Idle: idle, Log: out.log(),
				Open: func(root string) desk.World {
					mu.Lock()
					defer mu.Unlock()
					o := h.At(root)
					others = append(others, o)
					return o
				},
			})
			if err != nil {
				return err
			}
			l, err := web.Loopback()
			if err != nil {
				return err
			}
			url := d.Address(l)
			if err := out.Report(report{data: schema.Document{{Name: "url", Value: url}}, text: url + "\n"}); err != nil {
				return errors.Join(err, l.Close())
			}
			out.note(out.Text("the desk is open until Ctrl-C"))
			if !closed {
				if err := host.Browse(ctx, d.Ticket(l)); err != nil {
					e := fault.As(err)
					out.note(e.Message.In(out.Lang) + "; " + e.Hint.In(out.Lang))
				}
			}
			return d.Serve(ctx, l)
		},
	}
	c.Flags().BoolVar(&closed, "no-open", false, out.Text("only print the address"))
	c.Flags().DurationVar(&idle, "idle", 0, out.Text("end once no page has been open for so long, such as 30m; 0 is never"))
	return c
}
