//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// aside is a file or link that a command made for a path that others obey, under a name
// that nothing obeys. Once nobody can write to it any more, it may turn out to be harmless.
type aside struct {
	top, to string // the part of the path that is obeyed, and what stands for it
	rest    string // below both
	held    bool   // it was in its place when the command began
	whole   bool   // it was complete when it was laid aside, as what git renames
	done    bool   // it is in its place now
}

func (a *aside) path() string { return a.top + a.rest }
func (a *aside) file() string { return a.to + a.rest }

// isThere reports whether the file still lies where it was made, and not somewhere that a
// link in place of a directory leads to.
func (a *aside) isThere() bool { return isReal(filepath.Dir(a.file())) && exists(a.file()) }

// judge returns the part of a real path that others obey; ok is false if nobody obeys it
// or a rule allows it.
func (n *nursery) judge(path string) (top string, ok bool) {
	if n.profile.Changes(path) != nil {
		return "", false
	}
	for _, one := range n.protected {
		if workspace.WithinOS(path, one) {
			return one, true
		}
	}
	rel, ok := workspace.RelOS(path, n.profile.Workspace)
	if class, head := workspace.Standing(filepath.ToSlash(rel)); ok && class == workspace.Asked {
		top = filepath.Join(n.profile.Workspace, filepath.FromSlash(head))
	} else if top = gitRuns(path); top == "" || !n.judgesGit(path) {
		return "", false
	}
	return top, !ok || n.profile.Permits == nil || !n.profile.Permits(rel)
}

// judgeEntry is [nursery.judge] for an entry of a kind. A link is obeyed also where it leads
// to what others obey, as one called .config does: what it leads to may change at any time.
func (n *nursery) judgeEntry(path string, kind uint32) (top string, ok bool) {
	if top, ok = n.judge(path); ok || kind != unix.S_IFLNK || n.profile.Changes(path) != nil {
		return top, ok
	}
	rel, ok := workspace.RelOS(path, n.profile.Workspace)
	rel = filepath.ToSlash(rel)
	leads := ok && workspace.Leads(rel) && !workspace.InDependencies(rel)
	return path, leads || slices.ContainsFunc(n.protected, func(one string) bool { return workspace.WithinOS(one, path) })
}

// judgesGit reports whether a path may be in a repository of the command.
func (n *nursery) judgesGit(path string) bool {
	return slices.ContainsFunc(n.gits, func(dir string) bool { return workspace.WithinOS(path, dir) })
}

// gitRuns returns the path if git runs what is there, or reads settings or the steps of a
// rebase from it.
func gitRuns(path string) string {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	switch {
	case slices.ContainsFunc(gitsOwn, func(own string) bool { return workspace.SameName(name, own) }):
		if isGits(dir) {
			return path
		}
	case isSteps(path):
		if isGits(filepath.Dir(dir)) {
			return path
		}
	case workspace.SameName(filepath.Base(dir), "hooks") && !strings.HasSuffix(name, ".sample") && !strings.Contains(name, workspace.RefusedMark):
		if isGits(filepath.Dir(dir)) {
			return path
		}
	}
	return ""
}

// gitsOwn are the names in git's directories that lead to what it runs or reads as settings.
var gitsOwn = append([]string{"config", "config.worktree", "hooks"}, gitdir.Resumed[:]...)

// isSteps reports whether a path ends as that of the steps of a rebase.
func isSteps(path string) bool {
	dir, name := filepath.Split(path)
	return workspace.SameName(name, filepath.Base(gitdir.Todo)) && workspace.SameName(filepath.Base(dir), filepath.Dir(gitdir.Todo))
}

// isGits reports whether git may take a directory for one of its own: it is called .git, or
// has a HEAD, or leads to another one. Its other parts may be sockets, whose birth nobody
// sees.
func isGits(dir string) bool {
	return workspace.SameName(filepath.Base(dir), ".git") || exists(filepath.Join(dir, "HEAD")) || exists(filepath.Join(dir, "commondir"))
}

// becomesGits reports whether a directory becomes one of git's with a new entry. Directories
// called head are ordinary, unless the file system takes that for HEAD.
func becomesGits(dir, name string) bool {
	if name == "HEAD" || strings.EqualFold(name, "commondir") {
		return !isGits(dir)
	}
	has := func(part string) bool { return !strings.EqualFold(name, part) && exists(filepath.Join(dir, part)) }
	return slices.ContainsFunc([]string{"HEAD", "objects", "refs"}, func(part string) bool { return strings.EqualFold(name, part) }) &&
		!isGits(dir) && (has("objects") || has("refs"))
}

// clear moves aside what git would run or obey in a directory that becomes one of its own.
func (n *nursery) clear(dir string) error {
	if !n.judgesGit(dir) {
		return nil
	}
	var all []string
	for _, name := range [...]string{"config", "config.worktree"} {
		if path := filepath.Join(dir, name); exists(path) && (!isDirectory(path) || isLink(path)) && !settled(path) {
			all = append(all, path)
		}
	}
	hooks := filepath.Join(dir, "hooks")
	if info, err := os.Lstat(hooks); err == nil && !info.IsDir() {
		all = append(all, hooks) // a link, for example
	} else if names, err := namesIn(hooks); err == nil {
		for _, name := range names {
			if !strings.HasSuffix(name, ".sample") && !strings.Contains(name, workspace.RefusedMark) {
				all = append(all, filepath.Join(hooks, name))
			}
		}
	}
	for _, path := range all {
		if slices.ContainsFunc(n.profile.Secrets, func(one string) bool { return workspace.WithinOS(path, one) || workspace.WithinOS(one, path) }) {
			return unix.EACCES // under another name it would not be hidden
		}
		if err := os.Rename(path, path+n.mark); err != nil {
			return err
		}
		n.lay(path, path, true)
	}
	n.settle()
	return nil
}

// lay records that something lies aside for a path with its obeyed part, and whether it is
// complete.
func (n *nursery) lay(path, top string, whole bool) {
	a := n.asides[path]
	if a == nil {
		_, held := n.held[top]
		a = &aside{top: top, to: top + n.mark, rest: path[len(top):], held: held || n.isTwin(path)}
		n.asides[path] = a
	}
	if !slices.Contains(n.pending, a) {
		n.pending = append(n.pending, a)
	}
	a.done, a.whole, n.wait = false, whole, minWait
}

// lies returns where something for an obeyed path lies aside; "" if it does not.
func (n *nursery) lies(path string) string {
	top, ok := n.judge(path)
	if !ok {
		return ""
	}
	if to := top + n.mark + path[len(top):]; exists(to) {
		return to
	}
	return ""
}

// isTwin reports whether a path is another name of a file that is protected.
func (n *nursery) isTwin(path string) bool {
	if len(n.twins) == 0 {
		return false
	}
	id, single := identityOf(path)
	return !single && n.twins[id]
}

// settle puts in place what turns out to be harmless: settings that git itself writes,
// and copies of files that were there before.
func (n *nursery) settle() {
	n.pending = slices.DeleteFunc(n.pending, func(a *aside) bool {
		switch leased(a.file()) {
		case written:
			return false
		case unknown:
			if !a.whole {
				return false // until the command has ended
			}
			a.done = a.isThere() && n.harmless(a) && a.copy() == nil
		case free:
			a.done = a.place(n)
		}
		return true
	})
}

// place puts a file in its place if it is harmless.
func (a *aside) place(n *nursery) bool {
	return a.isThere() && isReal(filepath.Dir(a.path())) && n.harmless(a) && os.Rename(a.file(), a.path()) == nil
}

// copy puts a copy in the place of a file that somebody may still have open.
func (a *aside) copy() error {
	m, err := saveEntry(a.file(), true)
	if err != nil || !isReal(filepath.Dir(a.path())) {
		return unix.EIO
	}
	to := a.file() + "-copy"
	fd, err := unix.Open(to, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), to)
	_, err = f.Write(m.data)
	if err = errors.Join(err, f.Chmod(m.mode.Perm()), f.Close()); err == nil && workspace.Harmless(to) {
		err = os.Rename(to, a.path())
	}
	_ = os.Remove(to) // after an error
	if err == nil {
		err = os.Remove(a.file())
	}
	return err
}

// harmless reports whether a file that lies aside may take its place.
func (n *nursery) harmless(a *aside) bool {
	if slices.Contains(n.profile.Settings, a.path()) {
		old, err1 := readRegular(a.path())
		text, err2 := readRegular(a.file())
		return err1 == nil && err2 == nil && gitdir.Recorded(old, text)
	}
	if a.held || slices.ContainsFunc(n.protected, func(one string) bool { return workspace.WithinOS(a.path(), one) }) {
		return false
	}
	if isSteps(a.path()) {
		return a.rest == "" && len(gitdir.Steps(a.file())) == 0
	}
	if name := filepath.Base(a.top); a.rest == "" && (workspace.SameName(name, "config") || workspace.SameName(name, "config.worktree")) {
		return workspace.Harmless(a.file())
	}
	return n.isCopy(a)
}

// isCopy reports whether a file is a copy of one of the same name that was there before.
func (n *nursery) isCopy(a *aside) bool {
	is, err := saveEntry(a.file(), true)
	if err != nil || !is.mode.IsRegular() {
		return false
	}
	for _, of := range n.profile.Survey.Obeyed {
		top := filepath.Join(n.profile.Workspace, filepath.FromSlash(of))
		if top == a.top || filepath.Base(top) != filepath.Base(a.top) || !n.known(top+a.rest) {
			continue
		}
		if was, err := saveEntry(top+a.rest, true); err == nil && was.mode == is.mode && bytes.Equal(was.data, is.data) {
			return true
		}
	}
	return false
}

// settled reports whether settings are harmless and nobody can write to them any more.
func settled(path string) bool { return leased(path) == free && workspace.Harmless(path) }

// lease is the answer to the question who may write to a file without opening it.
type lease int

const (
	noFile  lease = iota // there is no regular file
	free                 // nobody, and it has one name
	written              // somebody has it open for writing, be it in memory alone, or it has more names
	unknown              // this file system does not tell
)

// leased asks for a lease, which nobody gets while a file is open for writing. To write to
// it later, it has to be opened, and every such call is seen.
func leased(path string) lease {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return noFile
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return noFile
	}
	switch _, err = unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK); { // given back by closing
	case st.Nlink != 1, err == unix.EAGAIN:
		return written
	case err != nil:
		return unknown
	}
	return free
}

// finish settles what is left and returns the held paths that the command tried to
// change, and what lies aside for the others.
func (n *nursery) finish() (held []string, moved []sandbox.Moved) {
	for _, a := range n.pending { // nobody is left who could write
		if state := leased(a.file()); state == free || state == unknown {
			a.done = a.place(n)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(n.asides)) {
		a := n.asides[path]
		switch to := (sandbox.Moved{Path: a.top, To: a.to}); {
		case a.done && a.rest != "":
			removeEmpty(a.to)
		case a.done || !a.isThere():
		case a.held:
			held = append(held, path)
		case !slices.Contains(moved, to):
			moved = append(moved, to)
		}
	}
	return held, moved
}

// merge moves what is in a new directory to what lies aside for it, so that all of it is
// in one place.
func merge(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return nil //nolint:nilerr // nothing is there
	}
	if there, err := os.Lstat(to); err != nil || !info.IsDir() || !there.IsDir() {
		if err == nil {
			return nil // what lies aside is newer
		}
		return os.Rename(from, to)
	}
	names, err := namesIn(from)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := merge(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			return err
		}
	}
	if err := os.Remove(from); err != nil {
		return os.Rename(from, to+"-1")
	}
	return nil
}

// removeEmpty removes directories that have nothing in them.
func removeEmpty(dir string) {
	names, err := namesIn(dir)
	if err != nil || isLink(dir) {
		return
	}
	for _, name := range names {
		removeEmpty(filepath.Join(dir, name))
	}
	_ = os.Remove(dir) // it may have something in it
}
