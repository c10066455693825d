package settings

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
)

// trustCommand is "helve config trust".
func trustCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var forget bool
	c := &cobra.Command{
		Use: "trust", Args: out.Args(0, 0),
		Short: p.Text("Trust the workspace's own configuration and tools, as they are now"),
		Long: p.Text("Trust the workspace's own configuration and tools, so that the configuration may also widen what is allowed. " +
			"Only their present content is trusted: a file that changes must be trusted again."),
		Example: p.Examples("helve config trust", p.Text("follow this workspace's own settings as they are now")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := host.Personal(fault.T("decide what is trusted")); err != nil {
				return err
			}
			if forget {
				return distrust(cmd.Context(), h, p)
			}
			return trust(cmd.Context(), h, p)
		},
	}
	c.Flags().BoolVar(&forget, "forget", false, p.Text("stop trusting anything of this workspace"))
	return c
}

func distrust(ctx context.Context, h *host.Host, p *out.Printer) error {
	if err := h.Distrust(ctx); err != nil {
		return err
	}
	return p.Report(out.Report{
		Data: schema.Document{{Name: "trusted", Value: false}},
		Text: p.Text("nothing of this workspace is trusted\n"),
	})
}

// trust shows what there is to trust, and records that a person trusts it.
func trust(ctx context.Context, h *host.Host, p *out.Printer) error {
	u, err := h.Untrusted()
	if err != nil {
		return err
	}
	if u.Empty() {
		return nothingToTrust(p, u.Sources())
	}
	if err := showTrust(p, u); err != nil {
		return err
	}
	warning, err := u.Trust(ctx)
	if err != nil {
		return err
	}
	r := trusted(p, u)
	if !warning.IsZero() {
		r.Warnings = append(r.Warnings, warning)
	}
	return p.Report(r)
}

// showTrust shows what a person is about to trust, before it is recorded.
func showTrust(p *out.Printer, u *host.Untrusted) error {
	var b strings.Builder
	if u.Ignored.SHA != "" {
		b.WriteString(p.Text("%s would widen: %s\n", u.Ignored.File, strings.Join(u.Ignored.Keys, ", ")))
	}
	for _, f := range u.Tools {
		b.WriteString(p.Text("the tool %s (%s) would run: %q\n", f.Name, string(f.Tool.Risk), f.Tool.Template))
	}
	if _, err := io.WriteString(p.Stderr, approval.Visible(b.String())); err != nil {
		return fault.New(fault.IOError, fault.T("the files to trust could not be shown")).
			WithHint(fault.T("run it in a terminal")).Because(err)
	}
	return nil
}

// trusted returns what is trusted from now on.
func trusted(p *out.Printer, u *host.Untrusted) out.Report {
	data, text := schema.Document{}, ""
	if u.Ignored.SHA != "" {
		data = schema.Document{{Name: "file", Value: u.Ignored.File}, {Name: "sha256", Value: u.Ignored.SHA}, {Name: "widens", Value: u.Ignored.Keys}}
		text = p.Text("trusted %s: %s\n", u.Ignored.File, strings.Join(u.Ignored.Keys, ", "))
	}
	if len(u.Tools) > 0 {
		var names []string
		for _, f := range u.Tools {
			names = append(names, f.Name)
		}
		data = append(data, schema.Member{Name: "tools", Value: names})
		text += p.Text("trusted tools: %s\n", strings.Join(names, ", "))
	}
	return out.Report{Data: append(data, schema.Member{Name: "trusted", Value: true}), Text: text}
}

// nothingToTrust reports why no setting of the workspace's own file is ignored: it
// does not exist, is trusted already, or only narrows.
func nothingToTrust(p *out.Printer, files []host.Source) error {
	i := slices.IndexFunc(files, func(f host.Source) bool { return f.Source == config.Workspace })
	if i < 0 || !files[i].Exists {
		return fault.New(fault.NotFound, fault.T("the workspace has no configuration of its own")).
			WithHint(pathHint())
	}
	f := files[i]
	r := out.Report{
		Data: schema.Document{{Name: "file", Value: f.Path}, {Name: "sha256", Value: f.SHA}, {Name: "widens", Value: []string{}}, {Name: "trusted", Value: f.Trusted}},
		Text: p.Text("%s is trusted\n", f.Path),
	}
	if !f.Trusted {
		r.Text = p.Text("%s is not trusted\n", f.Path)
		r.Warnings = []fault.Text{fault.T("%s only narrows, so there is nothing to trust", f.Path)}
	}
	return p.Report(r)
}
