package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
)

// globalFlags adds the flags of every command.
func globalFlags(root *cobra.Command, h *host.Host, p *out.Printer) {
	f := root.PersistentFlags()
	f.StringVar(&h.Root, "root", h.Root, p.Text("workspace root (HELVE_ROOT; default the working directory)"))
	f.Lookup("root").DefValue = "" // its text says what it is
	f.StringVar(&h.Project, "project", "", p.Text("id of the configured project that calls work in (HELVE_PROJECT)"))
	f.StringVar(&h.Session, "session", h.Session, p.Text("session that the calls belong to (HELVE_SESSION)"))
	f.StringVarP(&p.Format, "output-format", "o", "", p.Text("json, pretty or text (HELVE_OUTPUT; default json, and on a terminal text)"))
	f.StringVar((*string)(&h.Lang), "lang", string(h.Lang), p.Text("language of messages and help, en or zh (HELVE_LANG)"))
	f.StringVar(&h.As, "as", h.As, p.Text("profile: the names, words and results of another system (HELVE_AS); helve profiles lists them"))
	f.BoolVar(&h.ReadOnly, "readonly", h.ReadOnly, p.Text("refuse every tool that does more than read (HELVE_READONLY)"))
	f.StringVar(&h.Config, "config", "", p.Text("a configuration file that takes precedence over the others"))
	f.StringVar(&h.Approval, "approval", "", p.Text("id of the approval to make this call with"))
	f.DurationVar(&h.Wait, "approval-wait", 0, p.Text("how long to wait for a person to decide elsewhere, such as 5m"))
	f.IntVar(&h.ApprovalFD, "approval-fd", 0, p.Text("open file descriptor on which a host answers requests, a line of JSON each"))
	f.BoolVar(&h.NoInput, "no-input", false, p.Text("never ask on the terminal"))
	f.BoolVarP(&p.Verbose, "verbose", "v", false, p.Text("log to standard error"))
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return check(c, h, p) }
}

// check refuses unknown values of the flags that say how to print.
func check(c *cobra.Command, h *host.Host, p *out.Printer) error {
	var faults []fault.Text
	anyway := c.Annotations[out.RunsAnyway] != ""
	if p.Format != "" && !slices.Contains(formats(), p.Format) {
		faults = append(faults, fault.T("-o %s: want json, pretty or text", p.Format))
		p.Format = ""
	}
	for _, one := range [...]struct{ flag, variable string }{{"output-format", host.OutputVariable}, {"readonly", host.ReadOnlyVariable}} {
		if wrong, ok := h.Wrong[one.variable]; ok && !c.Flags().Changed(one.flag) && !anyway {
			faults = append(faults, wrong)
		}
	}
	switch h.Lang {
	case fault.English, fault.Chinese:
		p.Lang = h.Lang
	default:
		wrong := fault.T("--lang %s: want en or zh; it may come from HELVE_LANG", string(h.Lang))
		if !anyway || c.Flags().Changed("lang") {
			faults = append(faults, wrong)
			break
		}
		h.Wrong["HELVE_LANG"] = wrong
		h.Lang, p.Lang = fault.English, fault.English
	}
	if len(faults) > 0 {
		return line.UsageOfFlags(c, faults)
	}
	if h.ApprovalFD > 0 { // a job in the background outlives this process, and must not hold it open
		process.Seal(h.ApprovalFD)
	}
	if words := strings.Fields(c.CommandPath()); len(words) > 1 && slices.Contains(finishing[:], words[1]) {
		p.Warn(h.Finish(c.Context())...)
	}
	return nil
}

// finishing are the commands that work with what a workspace keeps, and are no tools. They
// first do what a stopped helve left to do.
var finishing = [...]string{"approvals", "approve", "audit", "checkpoint", "cron", "deny", "desk", "history", "messages", "restore"}

// preset takes the language and the format from args before they are parsed,
// because the texts of commands depend on the language, or when parsing stopped
// before these flags.
func preset(p *out.Printer, args []string) {
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		switch name {
		case "-o", "--output-format":
			p.Format = value
		case "--lang":
			p.Lang = fault.Lang(value)
		}
	}
	if !slices.Contains(formats(), p.Format) {
		p.Format = ""
	}
	if p.Lang != fault.Chinese {
		p.Lang = fault.English
	}
}

// withoutGlobal returns args without the flags of every command. Of single letters, which
// programs use otherwise, only -o FORMAT is one.
func withoutGlobal(root *cobra.Command, args []string) []string {
	var rest []string
	for i := 0; i < len(args); i++ {
		name, long := strings.CutPrefix(args[i], "--")
		name, _, joined := strings.Cut(name, "=")
		f := root.PersistentFlags().Lookup(name)
		switch {
		case long && name == "":
			return append(rest, args[i:]...)
		case long && f != nil:
			if f.NoOptDefVal == "" && !joined {
				i++
			}
		case args[i] == "-o" && i+1 < len(args) && slices.Contains(formats(), args[i+1]):
			i++
		default:
			rest = append(rest, args[i])
		}
	}
	return rest
}

// formats lists the forms of output.
func formats() []string { return []string{"json", "pretty", "text"} }
