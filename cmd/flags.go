package cmd

import (
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools"
)

// app is one run of the command line.
type app struct {
	*host.Host
	in        io.Reader
	out, errw io.Writer
	flags     flags
	status    int
	answered  bool // the one document was written

	streaming, mirror bool // flags of exec
	rest              [2][]byte
}

// flags are the global flags that say how a result is printed.
type flags struct {
	output  string
	verbose bool
}

func newApp(in io.Reader, out, errw io.Writer) *app {
	o := host.FromEnvironment()
	o.Commands = commandNames
	if process.IsTerminal(errw) {
		o.Terminal = func() (io.ReadWriteCloser, error) { return process.OpenTerminal() }
	}
	return &app{Host: host.New(o), in: in, out: out, errw: errw}
}

// commandNames lists the commands that are not tools.
func commandNames() []string {
	var names []string
	for _, c := range (&app{}).hostCommands() {
		names = append(names, c.Name())
	}
	return names
}

func (a *app) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&a.Root, "root", a.Root, "workspace root (HELVE_ROOT; default the working directory)")
	f.StringVar(&a.Project, "project", "", "id of the configured project that calls work in (HELVE_PROJECT)")
	f.StringVar(&a.Session, "session", a.Session, "session that the calls belong to (HELVE_SESSION)")
	f.StringVarP(&a.flags.output, "output-format", "o", "", "json, pretty (default on a terminal) or text")
	f.StringVar((*string)(&a.Lang), "lang", string(a.Lang), "language of messages, en or zh (HELVE_LANG)")
	f.BoolVar(&a.ReadOnly, "readonly", false, "refuse every tool that does more than read")
	f.StringVar(&a.Config, "config", "", "a configuration file that counts above the others")
	f.StringVar(&a.Approval, "approval", "", "id of a person's decision that this call is made with")
	f.DurationVar(&a.Wait, "approval-wait", 0, "how long to wait for a person to decide elsewhere, such as 5m")
	f.IntVar(&a.ApprovalFD, "approval-fd", 0, "open file descriptor on which a host answers requests, a line of JSON each")
	f.BoolVar(&a.NoInput, "no-input", false, "never ask on the terminal")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "log to standard error")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.check() }
}

func (a *app) check() error {
	switch a.flags.output {
	case "", "json", "pretty", "text":
	default:
		bad := a.flags.output
		a.flags.output = ""
		return fault.New(fault.Usage, fault.T("-o %s: want json, pretty or text", "-o %s：应为 json、pretty 或 text", bad)).
			WithHint(fault.T("leave it out for JSON", "省略即为 JSON"))
	}
	switch a.Lang {
	case fault.English, fault.Chinese:
	default:
		return fault.New(fault.Usage, fault.T("--lang %s: want en or zh", "--lang %s：应为 en 或 zh", string(a.Lang))).
			WithHint(fault.T("it may come from HELVE_LANG", "它可能来自 HELVE_LANG"))
	}
	return nil
}

// salvage finds the flags that say how an answer looks where parsing stopped
// before them.
func (a *app) salvage(args []string) {
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		switch {
		case name == "-o" || name == "--output-format":
			a.flags.output = value
		case name == "--lang":
			a.Lang = fault.Lang(value)
		}
	}
	if a.flags.output != "pretty" && a.flags.output != "text" {
		a.flags.output = ""
	}
}

func (a *app) lang() fault.Lang {
	if a.Lang == fault.Chinese {
		return fault.Chinese
	}
	return fault.English
}

// paint reports whether answers have colour: on a person's terminal that shows it.
func (a *app) paint() screen.Paint {
	return screen.Paint(host.Colours() && process.IsTerminal(a.out))
}

func (a *app) log() *slog.Logger {
	if !a.flags.verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(a.errw, &slog.HandlerOptions{ReplaceAttr: func(_ []string, attr slog.Attr) slog.Attr {
		switch attr.Value.Kind() {
		case slog.KindString, slog.KindAny: // a cause may hold an address with a password in it
			attr.Value = slog.StringValue(secret.Mask(attr.Value.String()))
		}
		return attr
	}}))
}

// catalog returns the tools there are in this run.
func (a *app) catalog() (*tools.Catalog, error) {
	s, err := a.Settings()
	if err != nil {
		return nil, err
	}
	return s.Catalog()
}
