package cmd

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/doctor"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// reportFile is where a report is written unless another file is named.
const reportFile = "helve-report.txt"

// doctorCommand is "helve doctor".
func doctorCommand(h *host.Host, out *Printer) *cobra.Command {
	var asJSON bool
	var file string
	c := &cobra.Command{
		Use: "doctor", Args: takes(0, 0), Annotations: map[string]string{runsAnyway: "yes"},
		Short: out.Text("Say what works here and what does not, and how to mend it"),
		Long: out.Text("Say what works here and what does not, and how to mend it: sandboxes are tried, and directories are written to. " +
			"As text, each line has a level, what was looked at, what was found and, after an arrow, what to do. The exit status is 5 if there is an error."),
		Example: out.Examples(
			"helve doctor -o text", out.Text("a line for each check"),
			"helve doctor --report", out.Text("for a bug report"),
		),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				out.Format = "json"
			}
			if file == "" {
				found := doctor.Look(cmd.Context(), h)
				return out.Report(diagnosis(found, found.In(out.Lang)))
			}
			if err := h.MayWrite(fault.T("write a report")); err != nil {
				return err
			}
			found := doctor.Look(cmd.Context(), h)
			masked := found.Masked(out.Lang)
			if err := writeReport(file, masked); err != nil {
				return err
			}
			r := diagnosis(found, masked)
			r.data = struct {
				Report string `json:"report"`
				*doctor.Document
			}{file, masked}
			r.text = out.Text("wrote %s; read it before you pass it on\n", file)
			return out.Report(r)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, out.Text("the same as -o json"))
	c.Flags().StringVar(&file, "report", "", out.Text("new file for a report that is safe to pass on: names, directories of people and keys are masked (without =FILE, %s)", reportFile))
	c.Flags().Lookup("report").NoOptDefVal = reportFile
	return c
}

// diagnosis reports findings. It fails if one that matters does.
func diagnosis(found *doctor.Findings, shown *doctor.Document) report {
	r := report{data: shown, text: shown.Text()}
	if n := found.Failed(doctor.Error); n > 0 {
		var names []string
		for _, c := range shown.Checks {
			if c.Level == doctor.Error {
				names = append(names, c.Name)
			}
		}
		r.failure = fault.New(fault.NotConfigured, fault.T("%d checks of %d failed that matter: %s", n, len(shown.Checks), strings.Join(names, ", "))).
			WithHint(fault.T("mend says what to do about each"))
	}
	return r
}

func writeReport(file string, shown *doctor.Document) error {
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
