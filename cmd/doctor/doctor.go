// Package doctor looks at what works here and what does not, and says how to mend it. It
// tries what it can: it runs a command in each sandbox, and writes where helve writes. It
// changes nothing, reaches no web site, and takes any fault, such as a configuration that
// cannot be used, for an answer. It knows nothing of the command line.
package doctor

import (
	"context"
	"errors"
	"time"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/tool"
)

// Level is the severity of a finding.
type Level string

// The levels. A warning says that something is missing that most calls do without.
const (
	OK      Level = "ok"
	Warning Level = "warning"
	Error   Level = "error"
)

// Check is one thing that was looked at.
type Check struct {
	Name   string // of what; the same in every run
	Of     string // which one, such as the id of a project; "" if there is only one
	Level  Level
	Detail fault.Text // what was found
	Mend   fault.Text // what to do; often empty where all is well
}

// Workspace is a workspace that has state here.
type Workspace struct {
	Root    string `json:"root"`
	Trusted bool   `json:"trusted"` // a person has trusted something of it
}

// Setting is a setting and where its value comes from.
type Setting struct {
	Key    string        `json:"key"`
	Origin config.Origin `json:"origin"`
}

// Findings is all that was found.
type Findings struct {
	Checks     []Check
	Settings   []Setting
	Workspaces []Workspace
	private    []mask
}

// Failed returns how many checks have a level.
func (f *Findings) Failed(level Level) (n int) {
	for _, c := range f.Checks {
		if c.Level == level {
			n++
		}
	}
	return n
}

// visit is one look at everything.
type visit struct {
	host      *host.Host
	env       *tool.Env        // of the workspace
	settings  *config.Settings // the defaults, if the sources have faults
	usable    error            // why the settings cannot be used; nil if they can
	support   sandbox.Support
	storeless bool // the store cannot be read
	found     Findings
}

// patience limits the time of each check that waits for other programs.
const patience = 10 * time.Second

// Look looks at everything, in the order in which it is shown.
func Look(ctx context.Context, h *host.Host) *Findings {
	v := &visit{host: h, env: h.Workspace(), support: native.Probe(sandbox.Cache{})}
	var err error
	v.settings, err = config.Load(h.Sources())
	if v.settings == nil { // a bug, or no directory to work in
		v.settings, _ = config.Load(config.Options{}) // no source has a fault
	}
	if v.usable = err; err == nil {
		v.usable = host.Check(v.settings)
	}
	for _, look := range []func(context.Context) []Check{
		v.helve, v.system, v.zones, v.caller,
		v.configuration, v.variables, v.sources, v.trust, v.workspaces, v.keys,
		v.workspace, v.projects, v.configurationDirectory, v.state, v.cache, v.temporary,
		v.kernel, v.tiers, v.chosen,
		v.shell, v.git,
		v.proxies, v.browser, v.search, v.model,
		v.tools, v.store, v.scheduler,
	} {
		within, cancel := context.WithTimeout(ctx, patience)
		v.found.Checks = append(v.found.Checks, look(within)...)
		cancel()
	}
	v.found.private = v.masks()
	return &v.found
}

// fine is a check of something that works.
func fine(name string, detail fault.Text) []Check {
	return []Check{{Name: name, Level: OK, Detail: detail}}
}

// wrong is a check of something that does not.
func wrong(level Level, name string, detail, mend fault.Text) []Check {
	return []Check{{Name: name, Level: level, Detail: detail, Mend: mend}}
}

// of says which one checks are about.
func of(which string, checks []Check) []Check {
	for i := range checks {
		checks[i].Of = which
	}
	return checks
}

// could is a check of something that works, with what a person could do besides.
func could(name string, detail, mend fault.Text) []Check { return wrong(OK, name, detail, mend) }

// failed is a check that ended in an error, which says itself what to do.
func failed(level Level, name string, err error) []Check {
	if errors.Is(err, context.DeadlineExceeded) {
		return wrong(level, name, fault.T("no answer within %s", patience), fault.T("look at what keeps it busy, and run helve doctor again"))
	}
	e := fault.As(err)
	if e.Hint.IsZero() {
		e.Hint = fault.T("mend what the message says, and run helve doctor again")
	}
	return wrong(level, name, e.Message, e.Hint)
}
