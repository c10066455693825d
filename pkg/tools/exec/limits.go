package exec

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// limits bound a call whatever the policy allows and a person approves: by the settings,
// and by the preset under whose name it comes.
type limits struct {
	allow  []string // first words of commands; nil is any
	preset []string // the same, of the preset
	closed bool     // it may name and read no path outside the workspace
}

// limitsOf returns the limits of a call.
func limitsOf(call *tool.Call, r *request) limits {
	s := r.Machine.Settings
	l := limits{allow: s.Allow, closed: s.Reads == "workspace"}
	if call.Tool.PresetOf == "" {
		return l
	}
	lists := [...]struct {
		name string
		own  []string
		std  string
	}{
		{"shell-readonly", s.Presets.ShellReadonly, readers},
		{"shell-write", s.Presets.ShellWrite, writers},
		{"shell-destructive", s.Presets.ShellDestructive, removers},
	}
	for i, one := range lists {
		if one.name != call.Tool.Name {
			continue
		}
		l.closed = true
		for _, part := range lists[:i+1] {
			if list := part.own; len(list) > 0 {
				l.preset = append(l.preset, list...)
			} else {
				l.preset = append(l.preset, strings.Split(part.std, ", ")...)
			}
		}
	}
	return l
}

// What the presets may start if the settings do not say.
const (
	readers = "date, cal, pwd, cd, ls, cat, head, tail, wc, grep, egrep, fgrep, rg, find, tree, sort, uniq, cut, tr, nl, tac, rev, column, comm, cmp, diff, " +
		"file, stat, du, df, basename, dirname, realpath, readlink, which, type, whoami, id, uname, hostname, uptime, ps, free, echo, printf, seq, test, [, true, false, :, " +
		"md5sum, sha1sum, sha256sum, cksum, xxd, od, hexdump, strings, jq, sed, awk, git status, git log, git diff, git show, git blame, git ls-files, git branch"
	writers  = "mkdir, touch, cp, mv, ln, tee, mktemp, chmod, git add, git commit"
	removers = "rm, rmdir, unlink, truncate"
)

// check returns why a call goes beyond its limits.
func (l limits) check(r *request) error {
	for _, list := range [...][]string{l.allow, l.preset} {
		if err := allowed(list, r.verdict); err != nil {
			return err
		}
	}
	if l.closed && len(r.verdict.Strays) > 0 {
		return fault.New(fault.OutsideWorkspace, fault.T("the command names what is outside the workspace: %s", strings.Join(r.verdict.Strays, ", "))).
			WithHint(fault.T("name only paths below the workspace root; here commands may not use others"))
	}
	return nil
}

// allowed returns a fault if a command is not one of a list, or if it is not certain
// which commands would run. A nil list allows all.
func allowed(list []string, v classify.Verdict) error {
	if len(list) == 0 {
		return nil
	}
	hint := fault.T("commands may begin with: %s", strings.Join(list, ", "))
	for _, f := range [...]classify.Flag{classify.Syntax, classify.Unparsed, classify.TooComplex, classify.PathShadow, classify.Environment} {
		if v.Has(f) {
			return fault.New(fault.Denied, fault.T("it is not certain which programs the command starts")).WithHint(hint)
		}
	}
	if len(v.Commands) >= classify.MaxCommands {
		return fault.New(fault.Denied, fault.T("the command has %d commands or more", classify.MaxCommands)).WithHint(hint)
	}
	for _, c := range v.Commands {
		begins := func(words string) bool {
			want := strings.Fields(words)
			return len(want) > 0 && len(c.Argv) >= len(want) && slices.Equal(c.Argv[:len(want)], want)
		}
		if !slices.ContainsFunc(list, begins) {
			return fault.New(fault.Denied, fault.T("%s is not allowed here", cmp.Or(c.Argv[0], `""`))).WithHint(hint)
		}
	}
	return nil
}

// stray reports whether a command under limits must not name a path, which is outside
// the workspace: the settings open some. In a temporary directory of the sandbox's own
// it may name what is not on the machine.
func (r *request) stray(abs string) bool {
	path := filepath.FromSlash(abs)
	for _, dir := range r.scratch() {
		if below, ok := strings.CutPrefix(path, dir+"/"); ok {
			name, _, _ := strings.Cut(below, "/")
			if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
				return false
			}
		} else if path == dir && !workspace.WithinOS(r.Root.Dir(), dir) {
			return false
		}
	}
	return !slices.ContainsFunc(slices.Concat(r.Machine.Settings.Readable, r.Machine.Settings.Writable), func(open string) bool {
		return workspace.WithinOS(path, filepath.Clean(open))
	})
}

// touched returns the paths of the workspace that a command names, for the rules about
// paths.
func (r *request) touched() []policy.Path {
	var all []policy.Path
	for _, t := range r.verdict.Touched {
		rel, ok := r.Root.Rel(filepath.FromSlash(t.Path))
		if !ok || rel == "." {
			continue
		}
		info, err := r.Root.Lstat(r.Root.At(rel))
		all = append(all, policy.Path{Path: rel, Use: t.Use, Tree: err == nil && info.IsDir()})
	}
	return all
}
