package cmd

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// toolsCommand is "helve tools".
func (a *app) toolsCommand() *cobra.Command {
	c := &cobra.Command{Use: "tools", Short: "List the tools, and add or take away some", Args: cobra.NoArgs}
	c.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the tools with their risk and the other names they answer to", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.listTools() },
		},
		a.registerCommand(),
		a.unregisterCommand(),
		a.turnTool("enable NAME", "Bring back a tool that was disabled", false),
		a.turnTool("disable NAME", "Take a tool away from agents", true),
		a.validateTools(),
	)
	c.RunE = needsSubcommand("tools", "list, register, unregister, enable, disable, validate")
	return c
}

// listed is a tool as it is listed.
type listed struct {
	Name        string      `json:"name"`
	Risk        policy.Risk `json:"risk"`
	Description string      `json:"description"`
	Arguments   []string    `json:"arguments"`
	Aliases     []string    `json:"aliases,omitempty"`
	Uses        string      `json:"uses,omitzero"`
	Manifest    string      `json:"manifest,omitzero"` // file of a custom tool
}

// missing is a tool that is not there and could be.
type missing struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

func (a *app) listTools() error {
	s, err := a.Settings()
	if err != nil {
		return err
	}
	tools, err := s.Catalog()
	if err != nil {
		return err
	}
	found := s.Manifests()
	files := map[string]string{}
	for _, f := range found {
		if f.Usable() {
			files[f.Name] = f.File
		}
	}
	var text strings.Builder
	all := []listed{}
	for _, t := range tools.Tools() {
		all = append(all, listed{t.Name, t.Risk, firstSentence(t.Doc), t.Schema().Names(), otherNames(t), t.Uses, files[t.Name]})
		text.WriteString(t.Name + "  " + string(t.Risk) + "  " + firstSentence(t.Doc) + "\n")
	}
	absent := tools.Absent()
	var not []missing
	for _, name := range slices.Sorted(maps.Keys(absent)) {
		if canonical(name) != name {
			continue // another name of one that is listed
		}
		not = append(not, missing{name, absent[name].In(a.lang())})
		text.WriteString(name + "  (" + absent[name].In(a.lang()) + ")\n")
	}
	warnings := s.Warnings
	if w := untrusted(found); !w.IsZero() {
		warnings = append(warnings, w)
	}
	data := schema.Document{{Name: "tools", Value: all}}
	if len(not) > 0 {
		data = append(data, schema.Member{Name: "absent", Value: not})
	}
	return a.report(report{data: data, text: text.String(), warnings: warnings})
}

// turnTool is "helve tools enable" and "helve tools disable", in the person's own
// file.
func (a *app) turnTool(use, short string, off bool) *cobra.Command {
	const key = "tools.disabled"
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("turn tools on or off", "启用或停用工具")); err != nil {
				return err
			}
			s, err := a.Settings()
			if err != nil {
				return err
			}
			name, err := nameOf(s, args[0])
			if err != nil {
				return err
			}
			own := []string{}
			for _, e := range s.All(key) {
				var item string
				if e.Origin.File == a.Dirs.UserConfig && json.Unmarshal(e.Value, &item) == nil && item != name {
					own = append(own, item)
				}
			}
			if off {
				own = append(own, name)
			}
			value, err := schema.Marshal(own)
			if err != nil {
				return err
			}
			entries, warnings, err := a.Set(key, string(value))
			if err != nil {
				return err
			}
			for _, e := range entries {
				if !off && plain(e.Value) == name {
					warnings = append(warnings, fault.T("it is still disabled by %s", "它仍被 %s 停用", e.Origin.String()))
					off = true
				}
			}
			state := "enabled"
			if off {
				state = "disabled"
			}
			return a.report(report{data: schema.Document{{Name: "name", Value: name}, {Name: "enabled", Value: !off}}, text: name + " is " + state + "\n", warnings: warnings})
		},
	}
}

// nameOf is the name of a tool that is there or could be.
func nameOf(s *host.Settings, given string) (string, error) {
	tools, err := s.Catalog()
	if err != nil {
		return "", err
	}
	if _, could := tools.Absent()[given]; could {
		return canonical(given), nil
	}
	t, err := tools.Find(given)
	if err != nil {
		return "", err
	}
	return t.Name, nil
}

// canonical is the name of the built-in tool that answers to a name, which may
// be another of its names; or the name itself.
func canonical(name string) string {
	for _, t := range tools.Builtin() {
		if slices.Contains(otherNames(t), name) {
			return t.Name
		}
	}
	return name
}

// otherNames are those that a tool answers to beside its own.
func otherNames(t *tool.Tool) []string {
	names := slices.Clone(t.Aliases)
	for _, p := range t.Profiles {
		names = append(names, p.Name)
	}
	return names
}
