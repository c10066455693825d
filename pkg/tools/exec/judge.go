package exec

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/search/built"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/workspace"
)

// judge returns what a command may do. Its sandbox follows from that.
func judge(ctx context.Context, call *tool.Call, a Args) (*tool.Judgement, *request, error) {
	r, err := understand(call, a)
	if err != nil {
		return nil, nil, err
	}
	most := limitsOf(call, r)
	r.closed = most.closed
	r.findReachable(call)
	o, err := r.options(ctx, call)
	if err != nil {
		return nil, nil, err
	}
	if a.Command != "" {
		r.verdict = classify.Classify(a.Command, o)
	} else {
		r.verdict = classify.Argv(a.Argv, o)
	}
	if r.refused != nil {
		return nil, nil, r.refused
	}
	if err := most.check(r); err != nil {
		return nil, nil, err
	}
	v := r.verdict
	j := &tool.Judgement{
		Risk: v.Risk, Reasons: v.Reasons, Flags: []string{},
		Commands: slices.Clone(v.Commands), Rest: v.Rest, Paths: r.touched(),
		Unconfined: !r.Confined(), OnlyRead: a.ReadOnly, Pin: r.pin, Runs: r.pinPrograms,
	}
	for _, f := range v.Flags {
		j.Flags = append(j.Flags, string(f))
	}
	j.Cwd, j.Rule = r.dir, r.rule(j)
	if v.HardDeny {
		j.Forbidden = fault.Join(v.Reasons, "; ")
	}
	if r.deletes != "" {
		j.Reasons = append(j.Reasons, fault.T("it deletes %s/objects, which undo does not restore", r.deletes))
	}
	r.reach(call, j)
	if err := r.foreseeGit(ctx, call, j); err != nil {
		return nil, nil, err
	}
	if a.Preview && r.obstacle().IsZero() {
		showOnly(j)
	}
	return j, r, nil
}

// showOnly makes it the judgement of a call that changes nothing, whatever the
// command does to the copy.
func showOnly(j *tool.Judgement) {
	j.Risk, j.Rest.Risk = policy.Read, policy.Read
	for i := range j.Commands {
		j.Commands[i].Risk = policy.Read
	}
}

// reach decides which network the command gets, and marks in the judgement which of
// its parts reach it. A command that may run any code reaches whatever the command
// line may.
func (r *request) reach(call *tool.Call, j *tool.Judgement) {
	granted := r.standing()
	r.network = sandbox.Network(r.args.Network)
	switch {
	case r.network == sandbox.Hosts, r.network == "" && r.verdict.Network && granted != sandbox.Full && r.named(call):
		r.network = sandbox.Hosts
	case r.network != "":
	case r.verdict.Network:
		r.network = sandbox.Full
	default:
		r.network = granted
	}
	j.Granted = granted == sandbox.Full
	byName := r.proxy() != ""
	if byName {
		j.Granted = r.hasHosts(j)
	}
	if j.Network = r.network == sandbox.Full || (j.Unconfined || byName) && r.verdict.Network; !j.Network {
		// There is no network to reach.
		for i := range j.Commands {
			j.Commands[i].Network = false
		}
		j.Rest.Network = false
		return
	}
	if !j.Unconfined && !j.Granted {
		for i := range j.Commands {
			c := &j.Commands[i]
			c.Shared = !c.Network && c.Risk != policy.Read
			c.Network = c.Network || c.Shared
		}
		j.Rest.Network = j.Rest.Network || len(j.Commands) == 0 || r.verdict.Has(classify.Environment)
	}
	if r.network == sandbox.Full && !j.Granted && !r.verdict.Network {
		j.Reasons = append(j.Reasons, fault.T("it asks for network access"))
	}
}

// standing returns the network that commands have without a question. A loopback that
// is the sandbox's own leads nowhere, so that tests may start servers. Under Landlock
// there may be none, as its report says.
func (r *request) standing() sandbox.Network {
	switch set := r.Machine.Settings.Network; {
	case set != "auto" && set != "hosts":
		return sandbox.Network(set)
	case r.client != nil:
		return sandbox.Hosts
	case r.Kind == sandbox.Namespaces, r.Kind == sandbox.Landlock:
		return sandbox.Local
	}
	return sandbox.NoNetwork
}

// ownLoopback reports whether the command gets a loopback of its own, or no more of the
// machine's than that, where it needs nothing else.
func (r *request) ownLoopback() bool {
	network := cmp.Or(sandbox.Network(r.args.Network), r.standing())
	has := r.Kind == sandbox.Namespaces || r.Kind == sandbox.Landlock && r.Support.Sockets
	return has && network.Private()
}

// options returns what judging needs to know of the world.
func (r *request) options(ctx context.Context, call *tool.Call) (classify.Options, error) {
	root := r.Root.Dir()
	o := classify.Options{
		Dialect: r.dialect(), Root: filepath.ToSlash(root), Cwd: filepath.ToSlash(r.dir), Home: filepath.ToSlash(r.Machine.Home), Env: r.args.Env,
		Exported: func(name string) bool {
			return slices.ContainsFunc(r.env, func(entry string) bool { return strings.HasPrefix(entry, name+"=") })
		},
		Scratch: r.scratch(), OwnProcesses: r.Kind == sandbox.Namespaces, OwnLoopback: r.ownLoopback(),
		Resolve: func(abs string) string { return r.Follow(abs, r.temp) },
		Exists: func(abs string) bool {
			_, err := os.Lstat(r.OnHost(abs, r.temp))
			return err == nil
		},
		Directory: func(abs string) bool {
			info, err := os.Lstat(r.OnHost(abs, r.temp))
			return err == nil && info.IsDir()
		},
		LookPath: func(name string) (string, bool) {
			abs := run.Look(name, r.env)
			return abs, abs != "" && r.trusted(abs)
		},
		Protect: func(rel string) bool {
			abs := filepath.Join(root, filepath.FromSlash(rel))
			return call.Verdict(workspace.Escape(rel), schema.WritePath) != policy.Allow || slices.ContainsFunc(r.Exposed(), func(own string) bool {
				return workspace.WithinOS(abs, own) || workspace.WithinOS(own, abs) && abs != root
			})
		},
	}
	look := sync.OnceValues(func() (*track.View, error) {
		return track.Workspace{Root: r.Root, Excludes: excludes(call)}.Look(ctx)
	})
	o.Loss = func(abs string, deletes bool) policy.Risk {
		return call.Env.RiskOfLoss(r.loss(call, look, abs, deletes))
	}
	o.LossNamed = func(dir, name string) policy.Risk { return lossNamed(dir, name, o.Loss) }
	o.Moves = func(from, to string) policy.Risk { return r.buries(call, look, from, to) }
	o.Discards = func(d classify.Discard) policy.Risk { return r.discards(call, look, d) }
	if r.closed {
		o.Stray = r.stray
	}
	if call.Home.WithoutDotdot || r.Root.RefusesLinks() {
		o.Names = func(written string, dirs []string) {
			if r.refused == nil {
				r.refused = refuses(r.Root, call.Home.WithoutDotdot, written, dirs)
			}
		}
	}
	if r.args.Command == "" {
		o.Dialect = classify.Bash
		if runtime.GOOS == "windows" {
			o.Dialect = classify.Cmd
		}
	}
	for _, dir := range r.Machine.Settings.Writable {
		o.Scratch = append(o.Scratch, filepath.ToSlash(dir))
	}
	for _, pattern := range r.Machine.Settings.Deny {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return o, fault.New(fault.NotConfigured, fault.T("exec.deny: %q is not a regular expression", pattern)).
				WithHint(fault.T("fix it in the configuration: helve config path")).Because(err)
		}
		o.Deny = append(o.Deny, re)
	}
	return o, nil
}

// loss returns what is lost when a command deletes or overwrites what is at an
// absolute path.
func (r *request) loss(call *tool.Call, look func() (*track.View, error), abs string, deletes bool) policy.Loss {
	l := policy.Loss{Deletes: deletes}
	rel, ok := r.Root.Rel(filepath.FromSlash(abs))
	if !ok {
		return l
	}
	if deletes {
		r.noteRepository(rel)
	}
	if info, err := r.Root.Lstat(r.Root.At(rel)); !deletes && (err != nil || journal.Keeps(info)) {
		l.Kept = policy.ByUndo
		return l
	}
	undone := policy.Loss{Deletes: deletes, Kept: policy.ByUndo}
	if deletes && !r.args.Background && call.Env.RiskOfLoss(undone) == policy.Write {
		if view, err := look(); err == nil && view.Restores(rel) {
			return undone
		}
	}
	if built.Output(r.Root, excludes(call), rel) {
		l.Kept = policy.Generated
	}
	return l
}

// maxEntries limits the entries that are looked at for those of a name.
const maxEntries = 20_000

// lossNamed returns the risk of deleting every entry of a name in an absolute directory and
// below it.
func lossNamed(dir, name string, loss func(abs string, deletes bool) policy.Risk) policy.Risk {
	worst, left := policy.Write, maxEntries
	err := filepath.WalkDir(filepath.FromSlash(dir), func(p string, d fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			worst = policy.Destructive
			return fs.SkipAll
		}
		if d.Name() != name {
			return nil
		}
		if worst = policy.Worst(worst, loss(filepath.ToSlash(p), true)); worst == policy.Destructive {
			return fs.SkipAll
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		return policy.Destructive
	}
	return worst
}

// noteRepository remembers a git directory that goes with what is deleted at a path.
func (r *request) noteRepository(rel string) {
	for _, git := range []string{rel, path.Join(rel, ".git")} {
		if info, err := r.Root.Lstat(r.Root.At(git)); path.Base(git) == ".git" && err == nil && info.IsDir() {
			r.deletes = git
		}
	}
}

func excludes(call *tool.Call) []byte {
	if call.Env.Excludes == nil {
		return nil
	}
	return call.Env.Excludes()
}

// buries returns the risk of moving something to an absolute path. In build output it is
// deleted unasked, so it must come back by undoing the move.
func (r *request) buries(call *tool.Call, look func() (*track.View, error), from, to string) policy.Risk {
	target, ok := workspace.RelOS(filepath.FromSlash(to), r.Root.Dir())
	if !ok || !built.Output(r.Root, excludes(call), target) {
		return policy.Write
	}
	source, known := workspace.RelOS(filepath.FromSlash(from), r.Root.Dir())
	if known && built.Output(r.Root, excludes(call), source) {
		return policy.Write
	}
	l := policy.Loss{IntoBuild: true}
	if view, err := look(); known && err == nil && !r.args.Background && view.Restores(source) {
		l.Kept = policy.ByUndo
	}
	return call.Env.RiskOfLoss(l)
}

// discards returns the risk of what git takes out of the working tree: that of deleting
// it, where anything is lost.
func (r *request) discards(call *tool.Call, look func() (*track.View, error), d classify.Discard) policy.Risk {
	t := track.Discard{Untracked: d.Untracked, Staged: d.Staged}
	for _, abs := range d.Paths {
		rel, ok := workspace.RelOS(filepath.FromSlash(abs), r.Root.Dir())
		if !ok {
			return policy.Destructive
		}
		t.Paths = append(t.Paths, rel)
	}
	view, err := look()
	if err != nil {
		return policy.Destructive
	}
	loses, kept, err := view.Discards(t)
	switch {
	case err != nil:
		return policy.Destructive // whoever cannot tell what is lost asks
	case !loses:
		return policy.Write
	}
	l := policy.Loss{Deletes: true}
	if kept && !r.args.Background {
		l.Kept = policy.ByUndo
	}
	return call.Env.RiskOfLoss(l)
}

// scratch returns the directories that the sandbox replaces by private ones.
func (r *request) scratch() []string {
	if r.Kind == sandbox.Namespaces {
		return []string{"/tmp", "/var/tmp", "/dev/shm", "/run"}
	}
	return nil
}

// trusted reports whether a program is in a directory that neither the workspace nor
// everybody can write to.
func (r *request) trusted(program string) bool {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return false
	}
	for _, path := range []string{program, real} {
		if workspace.WithinOS(path, r.Root.Dir()) {
			return false
		}
		for _, dir := range r.Machine.Settings.Writable {
			if workspace.WithinOS(path, dir) {
				return false
			}
		}
		if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm()&0o002 != 0 && filepath.Separator == '/' {
			return false
		}
	}
	return true
}
