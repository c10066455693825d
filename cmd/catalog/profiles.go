package catalog

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/profile"
)

// Profiles is "helve profiles".
func Profiles(h *host.Host, p *out.Printer) *cobra.Command {
	return out.Group(
		&cobra.Command{
			Use: "profiles", Short: p.Text("Show the profiles: the names, words and results of other systems"),
			Long: p.Text("A profile gives the tools the definitions, words and results of another system, for programs and models that were written for that one. " +
				"--as NAME, HELVE_AS or the setting profile chooses one. It publishes, and allows nothing: what is behind it is judged as ever.\n\n" +
				"A profile of your own is a file NAME.json in the directory profiles beside your settings (helve config path); begin with one that there is: helve profiles show NAME -o text."),
			Example: p.Examples("helve profiles list", p.Text("those of helve and your own")),
		},
		listProfilesCommand(h, p),
		showProfileCommand(h, p),
		validateProfilesCommand(p),
		diffProfilesCommand(h, p),
	)
}

// profileRow is a profile as a list shows it.
type profileRow struct {
	Name    string   `json:"name"`
	Source  string   `json:"source,omitempty"`
	Version string   `json:"version,omitempty"`
	File    string   `json:"file,omitempty"` // of one of the person's own
	Tools   []string `json:"tools"`
	Faults  []string `json:"problems,omitempty"`
}

func listProfilesCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "list", Args: out.Args(0, 0),
		Short:   p.Text("List the profiles there are"),
		Example: p.Examples("helve profiles list", p.Text("those of helve and your own")),
		RunE: func(*cobra.Command, []string) error {
			names, err := h.Dirs.ProfileNames()
			if err != nil {
				return err
			}
			var rows []profileRow
			var text strings.Builder
			for _, name := range names {
				one, problems, file, err := h.Dirs.ReadProfile(name)
				if err != nil {
					return err
				}
				row := profileRow{Name: name, File: file, Tools: []string{}}
				if one != nil {
					row.Source, row.Version, row.Tools = one.Source, one.Version, one.Names()
				}
				for _, problem := range problems {
					row.Faults = append(row.Faults, problem.Text().In(p.Lang))
				}
				rows = append(rows, row)
				text.WriteString(name + "  " + strings.Join(row.Tools, ", ") + "\n")
				for _, fault := range row.Faults {
					text.WriteString("  " + fault + "\n")
				}
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "profiles", Value: rows}}, Text: text.String()})
		},
	}
}

func showProfileCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Args: out.Args(1, 1),
		Short:   p.Text("Print a profile"),
		Example: p.Examples("helve profiles show persona -o text", p.Text("the file, to begin one of your own with")),
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := h.Dirs.ProfileFile(args[0])
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: json.RawMessage(data), Text: string(data)})
		},
	}
}

func validateProfilesCommand(p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "validate FILE…", Args: cobra.MinimumNArgs(1),
		Short:   p.Text("Check files that hold profiles"),
		Example: p.Examples("helve profiles validate mine.json", p.Text("say what is wrong, and in which line")),
		RunE: func(_ *cobra.Command, args []string) error {
			var wrong []fault.Text
			valid := []string{}
			for _, file := range args {
				data, err := readManifest(file)
				if err != nil {
					return err
				}
				one, problems := tools.ReadProfile(data)
				for _, problem := range problems {
					wrong = append(wrong, fault.T("%s: %s", file, problem.Text()))
				}
				if len(problems) == 0 {
					valid = append(valid, one.Name)
				}
			}
			var text strings.Builder
			for _, name := range valid {
				text.WriteString(p.Text("%s is valid\n", name))
			}
			r := out.Report{Data: schema.Document{{Name: "valid", Value: valid}}, Text: text.String()}
			if len(wrong) > 0 {
				r.Failure = fault.New(fault.BadDocument, fault.Join(wrong, "\n"))
			}
			return p.Report(r)
		},
	}
}

// difference is a tool, or a parameter of one, that two profiles define differently. A side
// that lacks it is empty.
type difference struct {
	Tool      string          `json:"tool"`
	Parameter string          `json:"parameter,omitempty"`
	A         json.RawMessage `json:"a,omitempty"`
	B         json.RawMessage `json:"b,omitempty"`
}

func diffProfilesCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "diff A B", Args: out.Args(2, 2),
		Short:   p.Text("Show what callers of two profiles are shown differently"),
		Example: p.Examples("helve profiles diff basic nanobot", p.Text("tools and parameters that differ")),
		RunE: func(_ *cobra.Command, args []string) error {
			a, err := h.Dirs.Profile(args[0])
			if err != nil {
				return err
			}
			b, err := h.Dirs.Profile(args[1])
			if err != nil {
				return err
			}
			all := differences(a, b)
			var text strings.Builder
			for _, d := range all {
				text.WriteString(strings.TrimRight("  "+d.Tool+" "+d.Parameter, " ") + "\n")
				for _, side := range []struct {
					mark string
					is   json.RawMessage
				}{{"- ", d.A}, {"+ ", d.B}} {
					if side.is != nil {
						text.WriteString(side.mark + string(side.is) + "\n")
					}
				}
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "differences", Value: all}}, Text: text.String()})
		},
	}
}

// differences returns what differs, in the order of the tools and parameters of a and then of b.
func differences(a, b *profile.Profile) []difference {
	all := []difference{}
	names := a.Names()
	for _, name := range b.Names() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		x, y := a.Find(name), b.Find(name)
		switch {
		case x == nil:
			all = append(all, difference{Tool: name, B: definition(y.Doc)})
			continue
		case y == nil:
			all = append(all, difference{Tool: name, A: definition(x.Doc)})
			continue
		case x.Doc != y.Doc:
			all = append(all, difference{Tool: name, A: definition(x.Doc), B: definition(y.Doc)})
		}
		parameters := x.ParameterNames()
		for _, one := range y.ParameterNames() {
			if !slices.Contains(parameters, one) {
				parameters = append(parameters, one)
			}
		}
		for _, one := range parameters {
			if s, t := x.Definition(one), y.Definition(one); string(s) != string(t) {
				all = append(all, difference{name, one, s, t})
			}
		}
	}
	return all
}

// definition returns a description as the definition of a tool has it.
func definition(doc string) json.RawMessage {
	text, err := schema.Marshal(doc)
	if err != nil { // a text always can be
		panic(err)
	}
	return text
}
