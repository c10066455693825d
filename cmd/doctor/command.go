package doctor

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// reportFile is the default file of a report.
const reportFile = "helve-report.txt"

// Command is "helve doctor".
func Command(h *host.Host, p *out.Printer) *cobra.Command {
	var asJSON bool
	var file string
	c := &cobra.Command{
		Use: "doctor", Args: out.Args(0, 0), Annotations: map[string]string{out.RunsAnyway: "yes"},
		Short: p.Text("Check the installation and suggest fixes"),
		Long: p.Text("Check the installation and suggest fixes: sandboxes are tried, and directories are written to. " +
			"As text, each line has a level, what was looked at, what was found and, after an arrow, what to do. The exit status is 5 if there is an error."),
		Example: p.Examples(
			"helve doctor -o text", p.Text("a line for each check"),
			"helve doctor --report", p.Text("for a bug report"),
		),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				p.Format = "json"
			}
			if file == "" {
				found := Look(cmd.Context(), h)
				return p.Report(diagnosis(found, found.In(p.Lang)))
			}
			if err := h.MayWrite(fault.T("write a report")); err != nil {
				return err
			}
			found := Look(cmd.Context(), h)
			masked := found.Masked(p.Lang)
			if err := writeReport(file, masked); err != nil {
				return err
			}
			r := diagnosis(found, masked)
			r.Data = struct {
				Report string `json:"report"`
				*Document
			}{file, masked}
			r.Text = p.Text("wrote %s; read it before you pass it on\n", file)
			return p.Report(r)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, p.Text("the same as -o json"))
	c.Flags().StringVar(&file, "report", "", p.Text("new file for a report that is safe to pass on: names, directories of people and keys are masked (without =FILE, %s)", reportFile))
	c.Flags().Lookup("report").NoOptDefVal = reportFile
	return c
}

// diagnosis reports findings. It fails if one that matters does.
func diagnosis(found *Findings, shown *Document) out.Report {
	r := out.Report{Data: shown, Text: shown.Text()}
	if n := found.Failed(Error); n > 0 {
		var names []string
		for _, c := range shown.Checks {
			if c.Level == Error {
				names = append(names, c.Name)
			}
		}
		r.Failure = fault.New(fault.NotConfigured, fault.T("%d checks of %d failed that matter: %s", n, len(shown.Checks), strings.Join(names, ", "))).
			WithHint(fault.T("mend says what to do about each"))
	}
	return r
}

func writeReport(file string, shown *Document) error {
	path, err := filepath.Abs(file)
	if err != nil {
		return fault.System(err, file)
	}
	err = config.Create(config.File{Source: config.User, Path: path}, []byte(shown.Report()))
	if fault.Is(err, fault.AlreadyExists) {
		return fault.New(fault.AlreadyExists, fault.T("there is already a file %s", file)).
			WithHint(fault.T("name another one: --report=FILE"))
	}
	return err
}
