package catalog

import (
	"encoding/json"
	"slices"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// disabledKey is the setting that lists disabled tools.
const disabledKey = "tools.disabled"

// enableCommand is "helve tools enable".
func enableCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "enable NAME", Args: out.Args(1, 1),
		Short:   p.Text("Enable a tool that was disabled"),
		Example: p.Examples("helve tools enable delete", p.Text("offer a tool again")),
		RunE:    func(_ *cobra.Command, args []string) error { return turnTool(h, p, args[0], false) },
	}
}

// disableCommand is "helve tools disable".
func disableCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "disable NAME", Args: out.Args(1, 1),
		Short:   p.Text("Disable a tool, so that agents do not get it"),
		Example: p.Examples("helve tools disable delete", p.Text("leave a tool out")),
		RunE:    func(_ *cobra.Command, args []string) error { return turnTool(h, p, args[0], true) },
	}
}

// turnTool enables or disables a tool in the person's own settings.
func turnTool(h *host.Host, p *out.Printer, given string, off bool) error {
	if err := host.Personal(fault.T("turn tools on or off")); err != nil {
		return err
	}
	s, err := h.Settings()
	if err != nil {
		return err
	}
	name, err := nameOf(s, given)
	if err != nil {
		return err
	}
	own := []string{} // tools that the person's own settings disable
	for _, e := range s.All(disabledKey) {
		var item string
		if e.Origin.File == h.Dirs.UserConfig && json.Unmarshal(e.Value, &item) == nil {
			own = append(own, item)
		}
	}
	own = slices.DeleteFunc(own, func(item string) bool { return item == name })
	if off {
		own = append(own, name)
	}
	value, err := schema.Marshal(own)
	if err != nil {
		return err
	}
	entries, warnings, err := h.Set(disabledKey, string(value))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !off && out.Plain(e.Value) == name {
			warnings = append(warnings, fault.T("it is still disabled by %s", e.Origin.String()))
			off = true
		}
	}
	text := p.Text("%s is enabled\n", name)
	if off {
		text = p.Text("%s is disabled\n", name)
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "name", Value: name}, {Name: "enabled", Value: !off}}, Text: text, Warnings: warnings})
}

// nameOf returns the name of a tool that is available or could be.
func nameOf(s *host.Settings, given string) (string, error) {
	tools := s.Catalog()
	if _, could := tools.Absent()[line.Canonical(given)]; could {
		return line.Canonical(given), nil
	}
	t, err := tools.Find(given)
	if err != nil {
		return "", err
	}
	return t.Name, nil
}
