package desk

import (
	"errors"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/web"
)

// Command is "helve desk": the page on which a person decides and looks.
func Command(h *host.Host, p *out.Printer) *cobra.Command {
	var closed bool
	var idle time.Duration
	c := &cobra.Command{
		Use: "desk", Args: out.Args(0, 0),
		Short: p.Text("Open a page in the browser to approve calls, and to see and undo what was done"),
		Long:  p.Text("Open a page in the browser, where a person approves or denies calls, follows what is done in all workspaces, and undoes changes. It is served to this machine alone, until Ctrl-C; its address has a token that lets in whoever knows it, so do not pass it on."),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if idle < 0 {
				return fault.New(fault.Usage, fault.T("--idle %v: want a duration that is not below zero", idle)).
					WithHint(fault.T("such as 30m; 0 is until Ctrl-C"))
			}
			if err := host.Personal(fault.T("open the desk")); err != nil {
				return err
			}
			ctx, stop := out.UntilSignal(cmd)
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
			d, err := New(Options{
				Lang: p.Lang, Version: h.Release(), Current: h, Known: h.Workspaces, Idle: idle, Log: p.Log(),
				Open: func(root string) World {
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
			if err := p.Report(out.Report{Data: schema.Document{{Name: "url", Value: url}}, Text: url + "\n"}); err != nil {
				return errors.Join(err, l.Close())
			}
			p.Note(p.Text("the desk is open until Ctrl-C"))
			if !closed {
				if err := host.Browse(ctx, d.Ticket(l)); err != nil {
					e := fault.As(err)
					p.Note(e.Message.In(p.Lang) + "; " + e.Hint.In(p.Lang))
				}
			}
			return d.Serve(ctx, l)
		},
	}
	c.Flags().BoolVar(&closed, "no-open", false, p.Text("only print the address"))
	c.Flags().DurationVar(&idle, "idle", 0, p.Text("end once no page has been open for so long, such as 30m; 0 is never"))
	return c
}
