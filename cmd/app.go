package cmd

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/read"
	"github.com/helve-dev/helve/pkg/workspace"
)

// app is one run of the command line.
type app struct {
	in        io.Reader
	out, errw io.Writer
	flags     flags
	status    int
	answered  bool // the one document was written
	opened    []*workspace.Root

	streaming, mirror bool // flags of exec
	rest              [2][]byte
}

// flags are the global flags, with the environment as their defaults.
type flags struct {
	root, session    string
	project          string
	config           string
	output, lang     string
	readOnly         bool
	approval         string
	wait             time.Duration
	fd               int
	noInput, verbose bool
}

func newApp(in io.Reader, out, errw io.Writer) *app {
	return &app{in: in, out: out, errw: errw}
}

func (a *app) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&a.flags.root, "root", os.Getenv("HELVE_ROOT"), "workspace root (HELVE_ROOT; default the working directory)")
	f.StringVar(&a.flags.project, "project", "", "id of the configured project that calls work in (HELVE_PROJECT)")
	f.StringVar(&a.flags.session, "session", orElse(os.Getenv("HELVE_SESSION"), "default"), "session that the calls belong to (HELVE_SESSION)")
	f.StringVarP(&a.flags.output, "output-format", "o", "", "json, pretty (default on a terminal) or text")
	f.StringVar(&a.flags.lang, "lang", orElse(os.Getenv("HELVE_LANG"), "en"), "language of messages, en or zh (HELVE_LANG)")
	f.BoolVar(&a.flags.readOnly, "readonly", false, "refuse every tool that does more than read")
	f.StringVar(&a.flags.config, "config", "", "a configuration file that counts above the others")
	f.StringVar(&a.flags.approval, "approval", "", "id of a person's decision that this call is made with")
	f.DurationVar(&a.flags.wait, "approval-wait", 0, "how long to wait for a person to decide elsewhere, such as 5m")
	f.IntVar(&a.flags.fd, "approval-fd", 0, "open file descriptor on which a host answers requests, a line of JSON each")
	f.BoolVar(&a.flags.noInput, "no-input", false, "never ask on the terminal")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "log to standard error")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.flags.check() }
}

func (f *flags) check() error {
	switch f.output {
	case "", "json", "pretty", "text":
	default:
		bad := f.output
		f.output = ""
		return fault.New(fault.Usage, fault.T("-o %s: want json, pretty or text", "-o %s：应为 json、pretty 或 text", bad)).
			WithHint(fault.T("leave it out for JSON", "省略即为 JSON"))
	}
	switch fault.Lang(f.lang) {
	case fault.English, fault.Chinese:
	default:
		return fault.New(fault.Usage, fault.T("--lang %s: want en or zh", "--lang %s：应为 en 或 zh", f.lang)).
			WithHint(fault.T("it may come from HELVE_LANG", "它可能来自 HELVE_LANG"))
	}
	return nil
}

// salvage finds the flags that say how an answer looks where parsing stopped
// before them.
func (f *flags) salvage(args []string) {
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		switch {
		case name == "-o" || name == "--output-format":
			f.output = value
		case name == "--lang":
			f.lang = value
		}
	}
	if f.output != "pretty" && f.output != "text" {
		f.output = ""
	}
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (a *app) lang() fault.Lang {
	if fault.Lang(a.flags.lang) == fault.Chinese {
		return fault.Chinese
	}
	return fault.English
}

// paint reports whether answers have colour: on a person's terminal that knows
// the usual sequences, unless the person wants none (https://no-color.org).
func (a *app) paint() screen.Paint {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || runtime.GOOS == "windows" && os.Getenv("WT_SESSION") == "" {
		return false
	}
	return screen.Paint(process.IsTerminal(a.out))
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

// world is the workspace that this run was given, without anything deciding
// about calls in it.
func (a *app) world() *tool.Env { return a.at(orElse(a.flags.root, "."), "") }

// at is the world that a directory makes: what is opened, is opened at first
// use. What decides about calls lies out of their reach, wherever it lies.
func (a *app) at(dir, label string) *tool.Env {
	root := sync.OnceValues(func() (*workspace.Root, error) {
		r, err := workspace.Open(dir, workspace.Options{Label: label, Reserved: a.reserved()})
		if err == nil {
			a.opened = append(a.opened, r)
		}
		return r, err
	})
	own := sync.OnceValues(func() (*state.Dir, error) {
		r, err := root()
		if err != nil {
			return nil, err
		}
		return state.Open(stateBase(), r.Dir(), state.Options{Fallback: os.TempDir()})
	})
	return &tool.Env{
		Root:  root,
		State: own,
		Host:  own,
		Journal: sync.OnceValues(func() (*journal.Journal, error) {
			r, err := root()
			if err != nil {
				return nil, err
			}
			d, err := own()
			if err != nil {
				return nil, err
			}
			return journal.New(d, r.Tree(), journal.Options{Shelf: shelf}), nil
		}),
		Now:      time.Now,
		Session:  a.flags.session,
		Excludes: sync.OnceValue(func() []byte { return config.GitExcludes(gitPlaces()) }),
	}
}

// shelf opens a directory for what is moved out of the workspace as a whole.
func shelf(dir string) (journal.Tree, error) {
	r, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		return nil, err
	}
	return r.Tree(), nil
}

// env is the world of the current project under the policy in force, and the
// tools there are in it.
func (a *app) env() (*tool.Env, *tools.Catalog, error) {
	env, s, err := a.governed()
	if err != nil {
		return nil, nil, err
	}
	tools, err := s.catalogue(a.custom(a.world(), s))
	return env, tools, err
}

// governed is the world of the current project with the settings in force and
// the policy that decides.
func (a *app) governed() (*tool.Env, *settings, error) {
	home := a.world()
	s, err := a.load(home)
	if err != nil {
		return nil, nil, err
	}
	authority := &guard.Authority{
		Policy: s.policy,
		Approvals: func() (*approval.Store, error) {
			d, err := home.State()
			if err != nil {
				return nil, err
			}
			return approval.NewStore(d), nil
		},
		Lang: a.lang(), Approval: a.flags.approval, Ask: a.asker(), Wait: a.flags.wait,
	}
	govern := func(env *tool.Env) *tool.Env {
		env.Host, env.Decide, env.Mask = home.State, authority.Decide, s.mask()
		a.equip(env, s)
		env.ReadOnly, env.Notices, env.RequireRead = s.Config.ReadOnly, s.Warnings, s.Config.Files.RequireRead
		return env
	}
	env := govern(a.current(home, s.Settings))
	env.Enter = a.enter(s.Settings, govern)
	return env, s, nil
}

// reserved is where settings and state are kept.
func (a *app) reserved() []string {
	paths := []string{systemConfig(), userConfig(), userTools(), stateBase()}
	if a.flags.config != "" {
		if file, err := filepath.Abs(a.flags.config); err == nil {
			paths = append(paths, file)
		}
	}
	return paths
}

// equip gives a world what its tools need of the settings to judge their calls.
func (a *app) equip(env *tool.Env, s *settings) {
	env.Policy, env.Lang = s.policy, a.lang()
	tool.Provide(env, a.web(env, s))
	tool.Provide(env, a.searching(env))
	// What the tool for reading may not show, no search shows.
	env.Hides = func(in policy.Place, t *tool.Tool) func(string) bool {
		return s.policy.Hides(in, read.Tool.Name, t.Name, t.Uses)
	}
	env.Machine = sync.OnceValues(func() (*tool.Machine, error) { return a.machine(env, s.Config.Exec) })
}

// close gives back what the run opened.
func (a *app) close() {
	for _, root := range a.opened {
		_ = root.Close() // nothing was written through it
	}
}
