package exec

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// limits bound a call whatever the policy allows and a person approves: by the settings,
// and by the preset under whose name it comes.
type limits struct {
	allow   []string // first words of commands; nil is any
	preset  []string // the same, of the preset
	readers []string // what may do no more than read, unless a list of what writes has it too
	closed  bool     // it may name and read no path outside the workspace
}

// limitsOf returns the limits of a call.
func limitsOf(call *tool.Call, r *request) limits {
	s := r.Machine.Settings
	l := limits{allow: s.Allow, readers: words(s.Presets.ShellReadonly, readers), closed: s.Reads == "workspace"}
	if len(s.Presets.ShellReadonly) > 0 {
		l.readers = append(l.readers, words(nil, readers)...)
	}
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
		for j, part := range lists[:i+1] {
			list := words(part.own, part.std)
			l.preset = append(l.preset, list...)
			if j > 0 {
				l.readers = slices.DeleteFunc(l.readers, func(reader string) bool { return slices.Contains(list, reader) })
			}
		}
	}
	return l
}

// words returns the words of a list of the settings, or the usual ones.
func words(own []string, std string) []string {
	if len(own) > 0 {
		return slices.Clone(own)
	}
	return strings.Split(std, ", ")
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
		if err := l.allowed(list, r.verdict); err != nil {
			return err
		}
	}
	if l.closed && len(r.verdict.Strays) > 0 {
		return fault.New(fault.OutsideWorkspace, fault.T("the command names what is outside the workspace: %s", strings.Join(r.verdict.Strays, ", "))).
			WithHint(fault.T("name only paths below the workspace root; here commands may not use others"))
	}
	return nil
}

// allowed returns a fault if a command is not one of a list, if it is not certain which
// commands would run, or if one that is only listed to read does more. A redirection that
// writes needs tee in the list. A nil list allows all.
func (l limits) allowed(list []string, v classify.Verdict) error {
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
	reads := false
	for _, c := range v.Commands {
		name := cmp.Or(c.Argv[0], `""`)
		entries := slices.DeleteFunc(slices.Clone(list), func(words string) bool {
			want := strings.Fields(words)
			return len(want) == 0 || len(c.Argv) < len(want) || !slices.Equal(c.Argv[:len(want)], want)
		})
		if len(entries) == 0 {
			return fault.New(fault.Denied, fault.T("%s is not allowed here", name)).WithHint(hint)
		}
		if slices.ContainsFunc(entries, func(entry string) bool { return !slices.Contains(l.readers, entry) }) {
			continue
		}
		if reads = true; c.Risk.Worse(policy.Read) {
			return fault.New(fault.Denied, fault.T("%s is only allowed here as far as it reads", name)).WithHint(hint)
		}
	}
	if reads && v.Rest.Risk.Worse(policy.Read) && !slices.Contains(list, "tee") {
		return fault.New(fault.Denied, fault.T("the command writes by a redirection, which is not allowed here")).WithHint(hint)
	}
	return nil
}

// refuses returns why a command may not name a path as it is written: with ".." or through
// a link, where the settings refuse that.
func refuses(root *workspace.Root, withoutDotdot bool, written string, dirs []string) error {
	names := strings.Split(written, "/")
	if withoutDotdot && slices.Contains(names, "..") {
		return fault.New(fault.OutsideWorkspace, fault.T("%s has .. in it, which the settings refuse", written)).
			WithHint(fault.T("name the path from the workspace root"))
	}
	if !root.RefusesLinks() {
		return nil
	}
	if path.IsAbs(written) {
		dirs = []string{"/"}
	}
	for _, at := range dirs {
		for _, name := range names {
			at = path.Join(at, name)
			if !workspace.WithinOS(filepath.FromSlash(at), root.Dir()) {
				continue
			}
			if info, err := os.Lstat(filepath.FromSlash(at)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				return fault.New(fault.OutsideWorkspace, fault.T("%s leads through a symbolic link, and this workspace follows none", written)).
					WithHint(fault.T("use the path of the file itself"))
			}
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

// changed returns the paths of the workspace that a command names and surely changes.
func (r *request) changed() (all []string) {
	for _, t := range r.touched() {
		if t.Use != schema.ReadPath && !slices.Contains(all, t.Path) {
			all = append(all, t.Path)
		}
	}
	return all
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
