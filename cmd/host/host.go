// Package host composes what a call gets: the workspace and the other projects,
// settings and the policy, trust, web proxies and search engines, custom tools,
// the machine that commands run on, and the person who is asked. It alone reads
// the environment. It knows nothing of the command line, prints nothing and
// decides nothing by itself: the guard does.
package host

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/helve-dev/helve/pkg/agent/worker"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/imported"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/state/store/opened"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	jobs "github.com/helve-dev/helve/pkg/tools/job"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/web/browser"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Host makes the environments that calls of one run get. Its options may change
// until they are used.
type Host struct {
	Options
	Dirs Dirs

	roots    *roots
	stores   *opened.Stores
	servers  *imported.Connections
	browsers *browser.Browsers
	caller   *approval.Caller // who is asked, if that is not a person
	owner    guard.Owner      // of the calls, if nobody makes them
	// waiting, if not nil, is called when a call starts waiting for a person.
	waiting func(context.Context, *approval.Request) (end func() error, err error)
	used    *atomic.Pointer[state.Dir] // the state directory of the workspace, once it was opened
	tending worker.Tending
	form    atomic.Pointer[string] // of output, by the settings that were read last
	seen    *sources               // what was read; nil unless somebody looks whether it changes
}

// New returns a host. It opens nothing; [Host.Close] closes what is opened later.
func New(o Options) *Host {
	return &Host{Options: o, Dirs: standardDirs(os.Getenv), roots: &roots{}, stores: &opened.Stores{}, servers: &imported.Connections{}, browsers: &browser.Browsers{}, caller: &approval.Caller{}, used: &atomic.Pointer[state.Dir]{}}
}

// Close closes what the run has opened.
func (h *Host) Close() {
	h.tending.Stop()
	h.servers.Close()
	h.browsers.Close()
	h.stores.Close()
	h.roots.close()
}

// Env returns the environment of the current project, under the policy in force,
// and the tools there are in it.
func (h *Host) Env() (*tool.Env, *tools.Catalog, error) {
	env, s, err := h.Governed()
	if err != nil {
		return nil, nil, err
	}
	c, err := s.Offered()
	if err != nil {
		return nil, nil, err
	}
	env.Notices = slices.Concat(env.Notices, s.ToolWarnings(c))
	return env, c, nil
}

// Catalog returns the tools that there are in this run.
func (h *Host) Catalog() (*tools.Catalog, error) {
	s, err := h.Settings()
	if err != nil {
		return nil, err
	}
	return s.Offered()
}

// Governed returns the environment of the current project, under the policy in
// force, and the settings.
func (h *Host) Governed() (*tool.Env, *Settings, error) {
	s, err := h.Settings()
	if err != nil {
		return nil, nil, err
	}
	home := s.home
	approver := &guard.Approver{
		Policy: s.Policy, Approvals: func() (*approval.Store, error) { return approvals(home) },
		Lang: h.Lang, Approval: h.Approval, Ask: h.asker(), Wait: h.Wait, Remember: h.Remember, Owner: h.owner, Waiting: h.waiting,
	}
	p := projects{settings: s.Settings, open: h.open, govern: func(env *tool.Env) *tool.Env {
		env.Audit, env.Decide, env.Settled, env.Mask = home.State, approver.Decide, approver.Settled, s.mask()
		env.AuditBytes = int64(s.Config.Audit.Megabytes) << 20 / 2 // two generations of the log are kept
		env.Patience, env.Progress = h.Wait, h.Progress
		s.equip(env)
		if s.Config.Files.Links == "refuse" {
			open := env.Root
			env.Root = sync.OnceValues(func() (*workspace.Root, error) {
				r, err := open()
				if err != nil {
					return nil, err
				}
				return r.WithoutLinks(), nil
			})
		}
		env.Artifacts, env.SearchSkip = s.Config.Files.Artifacts, s.Config.Search.Skip
		env.WithoutDotdot = s.Config.Files.Dotdot == "refuse"
		env.ReadOnly, env.Notices, env.RequireRead = s.Config.ReadOnly, s.Warnings, s.Config.Files.RequireRead
		return env
	}}
	env := p.current(home)
	env.Enter = p.enter()
	return env, s, nil
}

// Finish does what helve did not come to when it was stopped while a command ran in the
// workspace, and says what it did. Calls of tools do it by themselves.
func (h *Host) Finish(ctx context.Context) []fault.Text {
	env := h.Workspace()
	if governed, _, err := h.Governed(); err == nil { // else nobody permits anything
		env = governed
	}
	return env.Finish(ctx, policy.Project{ID: env.Project})
}

// Workspace returns the environment of the run's workspace, without anything that
// decides about calls.
func (h *Host) Workspace() *tool.Env {
	return h.open(cmp.Or(h.Root, "."), "")
}

// open returns the environment of a directory. Everything in it is opened at
// first use. The files and directories that decide about calls are out of its
// reach, wherever they are.
func (h *Host) open(dir, label string) *tool.Env {
	var own func() (*state.Dir, error)
	aside := func() (string, error) {
		d, err := own()
		if err != nil {
			return "", err
		}
		return d.Temporary()
	}
	root := sync.OnceValues(func() (*workspace.Root, error) {
		h.seen.notePlace(dir)
		return h.roots.open(dir, workspace.Options{Label: label, Reserved: h.reserved(), Aside: aside})
	})
	own = sync.OnceValues(func() (*state.Dir, error) {
		r, err := root()
		if err != nil {
			return nil, err
		}
		d, err := state.Open(h.Dirs.State, r.Dir(), state.Options{Fallback: os.TempDir()})
		if err == nil && label == "" {
			h.used.Store(d)
		}
		return d, err
	})
	excludes := sync.OnceValue(func() []byte { return config.GitExcludes(gitPlaces()) })
	history := sync.OnceValues(func() (*journal.Journal, error) {
		r, err := root()
		if err != nil {
			return nil, err
		}
		d, err := own()
		if err != nil {
			return nil, err
		}
		return track.Journal(r, d, excludes, journal.Options{}), nil
	})
	return &tool.Env{
		Root:    root,
		State:   own,
		Audit:   own,
		Journal: history,
		Unfinished: func(ctx context.Context, permits func(rel string) bool) []fault.Text {
			d, err := own()
			if err != nil {
				return nil // whatever needs the directory says so
			}
			return track.Finish(ctx, d, history, permits)
		},
		Now:         time.Now,
		Session:     h.Session,
		Channel:     h.Channel,
		Chat:        h.Chat,
		Turn:        h.Turn,
		TZ:          systemZone(),
		Run:         h.Run,
		Agent:       h.Agent,
		Nested:      os.Getenv("HELVE") != "",
		Excludes:    excludes,
		OutputRules: func() []config.RuleFile { return config.RuleFiles(h.Dirs.OutputRules()) },
	}
}

// WatchJob remembers the workspace before a job, so that what the job changes can be
// undone; see [job.Watch].
func WatchJob(ctx context.Context, spec *job.Spec, dir *state.Dir) (end func() (json.RawMessage, error), err error) {
	return track.WatchJob(ctx, spec, dir, func() []byte { return config.GitExcludes(gitPlaces()) })
}

// NotifyJob sends news of a job as a message; see [job.Notify].
func NotifyJob(ctx context.Context, spec *job.Spec, e job.Event) error {
	h, _, _, err := kept(spec.Host)
	if err != nil {
		return err
	}
	defer h.Close()
	b, err := h.Bus()
	if err != nil {
		return err
	}
	_, err = b.Send(ctx, jobs.Message(spec, e))
	return err
}

// reserved returns the files and directories of settings and state.
func (h *Host) reserved() []string {
	paths := []string{h.Dirs.SystemConfig, h.Dirs.UserConfig, h.Dirs.UserTools(), h.Dirs.UserServers(), h.Dirs.OutputRules(), h.Dirs.State}
	if h.Config != "" {
		if file, err := filepath.Abs(h.Config); err == nil {
			paths = append(paths, file)
		}
	}
	return paths
}
