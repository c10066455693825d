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
		Short: out.Text("Say what works here and what does not, and how to mend it", "说明此处哪些可用、哪些不可用，以及如何修复"),
		Long: out.Text("Say what works here and what does not, and how to mend it: sandboxes are tried, and directories are written to. "+
			"As text, each line has a level, what was looked at, what was found and, after an arrow, what to do. The exit status is 5 if there is an error.",
			"说明此处哪些可用、哪些不可用，以及如何修复：会实际试用沙箱并试写目录。文本形式下，每行依次为级别、检查项、结果，箭头之后为处理办法。有 error 时退出状态为 5。"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				out.Format = "json"
			}
			if file == "" {
				found := doctor.Look(cmd.Context(), h)
				return out.Report(diagnosis(found, found.In(out.Lang)))
			}
			if err := mayWrite(h, fault.T("write a report", "写入报告")); err != nil {
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
			r.text = out.Text("wrote %s; read it before you pass it on\n", "已写入 %s；转交之前请先阅读\n", file)
			return out.Report(r)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, out.Text("the same as -o json", "同 -o json"))
	c.Flags().StringVar(&file, "report", "", out.Text("new file for a report that is safe to pass on: names, directories of people and keys are masked (without =FILE, %s)",
		"将可安全转交的报告写入新文件：其中的名称、个人目录和密钥均已遮盖（不带 =文件 时为 %s）", reportFile))
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
		r.failure = fault.New(fault.NotConfigured, fault.T("%d checks of %d failed that matter: %s", "%[2]d 项检查中有 %[1]d 项重要检查未通过：%[3]s", n, len(shown.Checks), strings.Join(names, ", "))).
			WithHint(fault.T("mend says what to do about each", "mend 说明各项的处理办法"))
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
		return fault.New(fault.AlreadyExists, fault.T("there is already a file %s", "文件 %s 已存在", file)).
			WithHint(fault.T("name another one: --report=FILE", "请指定其他文件：--report=文件"))
	}
	return err
}
