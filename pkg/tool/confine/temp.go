package confine

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// tmp is the directory that a sandbox with mounts of its own has for temporary files.
const tmp = "/tmp"

// SessionTemporary returns the directory for temporary files of the session, which
// lasts until the session was not used for a week. A sandbox that can shows it as
// /tmp. Where commands are not confined, it is [Sandboxed.Temporary].
func (p *Sandboxed) SessionTemporary(call *tool.Call) (dir string, done func(), err error) {
	if !p.lasts() {
		return p.Temporary()
	}
	kept, err := p.state()
	if err != nil {
		return "", nil, err
	}
	dir, err = kept.Scratch(call.Env.Session)
	return dir, func() {}, err
}

// Budget returns what a program may take that has the temporary directory temp, by the
// person's settings.
func (p *Sandboxed) Budget(temp string) run.Budget {
	const mega = 1 << 20
	s := p.Machine.Settings
	b := run.MemoryBudget(int64(s.Memory) * mega)
	b.Written, b.Kept, b.Disks = int64(s.Disk)*mega, int64(s.Temp)*mega, []string{p.Root.Dir()}
	if b.Temp = temp; temp == "" && !p.Kind.Confines() {
		temp = os.TempDir() // which others write to, too
	}
	if temp != "" {
		b.Disks = append(b.Disks, temp)
	}
	return b
}

// lasts reports whether the temporary files of a session outlive a call.
func (p *Sandboxed) lasts() bool { return p.Kind == sandbox.Namespaces || p.Kind == sandbox.Landlock }

// Disposable returns what [Sandboxed.SessionTemporary] returned if it must be removed after
// use, else "".
func (p *Sandboxed) Disposable(dir string) string {
	if p.lasts() {
		return ""
	}
	return dir
}

// TempInside returns where a program finds the temporary directory that it was given.
func (p *Sandboxed) TempInside(dir string) string {
	switch p.Kind {
	case sandbox.Namespaces:
		return tmp
	case sandbox.Landlock:
		return shortened(dir)
	}
	return dir
}

// shortened returns a short link to a directory, since the path of a socket has at most 107
// bytes, and programs put sockets deep into temporary directories. Where there is none, it
// is the directory itself.
func shortened(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	link := filepath.Join(tmp, "helve-"+hex.EncodeToString(sum[:6]))
	if dir == "" || len(dir) <= len(link) {
		return dir
	}
	if _, err := os.Lstat(link); err != nil {
		sweepLinks()
	}
	// In /tmp nobody can put a file in place of another user's.
	fresh := link + "-" + rand.Text()[:8]
	if os.Symlink(dir, fresh) != nil {
		return dir
	}
	if os.Rename(fresh, link) != nil {
		_ = os.Remove(fresh) // or it stays there, and harms nobody
		return dir
	}
	return link
}

// sweepLinks removes the links of temporary directories that are gone.
func sweepLinks() {
	links, _ := filepath.Glob(filepath.Join(tmp, "helve-*")) // the pattern is a good one
	for _, link := range links {
		dir, err := os.Readlink(link)
		if err != nil {
			continue
		}
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			_ = os.Remove(link) // it may be another user's
		}
	}
}

// Private reports whether a path, absolute, is another one for a program than on the
// machine: one below the sandbox's own /tmp.
func (p *Sandboxed) Private(path string) bool {
	if p.Kind != sandbox.Namespaces || path == tmp || !workspace.WithinOS(path, tmp) {
		return false
	}
	return !slices.ContainsFunc(slices.Concat([]string{p.Root.Dir()}, p.Machine.Settings.Writable, p.readable()), func(dir string) bool {
		return workspace.WithinOS(path, dir)
	})
}

// Follow is [Resolve] for what a program sees: links in the temporary directory temp,
// which the program finds at /tmp, are those of earlier commands.
func (p *Sandboxed) Follow(path, temp string) string {
	const most = 40 // as the kernel
	path = filepath.FromSlash(path)
	for range most {
		if !p.Private(path) || temp == "" {
			path = Resolve(filepath.ToSlash(path))
			if path = filepath.FromSlash(path); !p.Private(path) {
				break
			}
		}
		next := followOne(path, temp)
		if next == path {
			break
		}
		path = next
	}
	return filepath.ToSlash(path)
}

// followOne replaces the first link on the way to a path below /tmp by its target.
func followOne(path, temp string) string {
	rest := strings.TrimPrefix(path, tmp)
	for i := range len(rest) + 1 {
		if i == 0 || i < len(rest) && rest[i] != '/' {
			continue
		}
		target, err := os.Readlink(filepath.Join(temp, rest[:i]))
		if err != nil {
			continue // not a link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(tmp, filepath.Dir(rest[:i]), target)
		}
		return filepath.Join(target, rest[i:])
	}
	return path
}

// OnHost returns where a path that a program sees is on the machine.
func (p *Sandboxed) OnHost(path, temp string) string {
	if temp != "" && p.Private(path) {
		return filepath.Join(temp, strings.TrimPrefix(path, tmp))
	}
	return path
}

// readable returns paths that stay readable where the sandbox has directories of its
// own: by the settings, and those that toolchains need.
func (p *Sandboxed) readable() []string {
	if p.Kind != sandbox.Namespaces {
		return nil
	}
	var all []string
	add := func(path string) {
		for _, dir := range [...]string{"/tmp", "/var/tmp", "/run"} {
			if path = filepath.Clean(path); path != dir && workspace.WithinOS(path, dir) {
				all = append(all, path)
			}
		}
	}
	for _, path := range p.Machine.Settings.Readable {
		add(path)
	}
	names := toolVariables[:]
	if !p.closes() {
		add(p.Machine.Home)
		names = append(slices.Clip(names), "XDG_CONFIG_HOME", "XDG_DATA_HOME")
	}
	for _, name := range names {
		for _, dir := range filepath.SplitList(run.Value(p.Machine.Environ, name)) {
			add(dir)
		}
	}
	for _, dir := range filepath.SplitList(run.Value(p.Machine.Environ, "PATH")) {
		add(dir)
		for _, prefix := range p.beside(dir) { // programs find their libraries there
			add(prefix)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
