package sandbox

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace"
)

// Filesystem says which files may be written.
type Filesystem string

// The file systems.
const (
	ReadOnly  Filesystem = "readonly"  // only a private temporary directory
	Workspace Filesystem = "workspace" // the workspace, without its protected paths
	Host      Filesystem = "host"      // everything; only in a [Report], where nothing is enforced
)

// Network says which hosts may be reached.
type Network string

// The networks.
const (
	NoNetwork Network = "none"
	Local     Network = "local" // the sandbox's own loopback
	Hosts     Network = "hosts" // the same, and what the caller lets it reach by [Profile.Port]
	Full      Network = "full"
)

// Private reports whether a network is a loopback of the sandbox's own.
func (n Network) Private() bool { return n == Local || n == Hosts }

// Profile says which files and hosts a process may reach. All paths are absolute and free
// of symbolic links.
type Profile struct {
	Filesystem Filesystem
	Network    Network
	// Port is a TCP port of the sandbox's own loopback that the caller answers at, so that
	// the command reaches that and nothing else; see [Sandbox.Listener]. It needs
	// [Namespaces] and the network [Local] or [Hosts], which is nothing without it. 0 is none.
	Port uint16
	// Loopback, if not nil, is the network of other commands that the command is started
	// in, instead of one of its own, where Network is private; only [Namespaces] does so.
	// Shares has [Sandbox.Loopback] return the command's.
	Loopback *Loopback `json:"-"`
	Shares   bool      `json:"-"`
	// Workspace is the directory that the file system [Workspace] makes writable.
	// Writable are further ones.
	Workspace string
	Writable  []string
	// Readable are paths that stay readable where the sandbox has directories of its
	// own in place of the machine's, such as /tmp, or where everything else is withheld.
	// They may lie in a secret; a secret in one of them stays one.
	Readable []string
	// Withheld are directories, such as homes, of which nothing is readable but the
	// workspace, the writable directories, Readable and Layers.
	Withheld []string
	// Links are symbolic links in what is withheld that lead to what can be read.
	Links []Link
	// Closed withholds everything but the workspace, the writable directories, Readable,
	// and the directories of the system that programs need to run.
	Closed bool
	// Temp is a private temporary directory of the caller, writable. [Namespaces]
	// shows it as /tmp; without one, its /tmp is empty. The others leave it where it is.
	Temp string
	// Layers, if not nil, are writable, too, and stay as they are.
	Layers *Layers
	// Protected are paths in the writable directories that must not change,
	// whether they exist or not.
	Protected []string
	// Movable are paths that the command may move or remove with everything in them.
	// Protected paths below are restored where they stay in their place.
	Movable []string
	// Settings are files of git's settings, among Protected, in which the command may
	// record branches and submodules as git does. Other changes are taken back.
	Settings []string
	// Changing are files, which may be protected, that the command may change as it says.
	Changing []Changing
	// Survey lists the files in the workspace, before the command, that other programs
	// execute or obey. Those that are new afterwards are moved aside, unless Permits
	// allows the path, which is relative to the workspace. Nil looks for nothing.
	Survey  *workspace.Survey
	Permits func(rel string) bool `json:"-"` // nil allows none
	// Resurvey repeats the survey; it returns nil on failure. If it is nil itself or
	// fails, the sandbox makes a survey of its own.
	Resurvey func() *workspace.Survey `json:"-"`
	// Lock is a directory that commands cannot open. Those that run at the same time under
	// profiles with the same one give files names one after the other. "" is none.
	Lock string
	// Session is the one that the command belongs to. Under [Landlock] it connects to what
	// commands of the same session, under profiles with the same Lock, listen on.
	Session string
	// Secrets are files and directories that must not be read.
	Secrets []string
	// Hides reports whether rules keep a path in the workspace, relative to it, from being
	// read, whether there is anything or not. Under [Landlock] nothing comes into being
	// there. Nil hides nothing.
	Hides func(rel string) bool `json:"-"`
	// Opened is the person's setting that opens what is withheld. A denial shows it with
	// one more path.
	Opened []string
	// Preview, if not nil, keeps what is written in the workspace apart from it.
	// It needs [Namespaces].
	Preview *Preview
}

// Link is a path that leads to another one by symbolic links, wherever on the way they are.
type Link struct{ Path, Target string }

// Changing is a file that a command may change although others obey it.
type Changing struct {
	Path string // absolute
	// Blobs are the contents that it may get, as git names them; "" is none: it may go. With
	// Any it may get every content, and so may files beside it that have its name with "~"
	// and more, as git calls what conflicts.
	Blobs []string
	Any   bool
}

// Changes returns what may become of a path; nil for what may not change.
func (p Profile) Changes(path string) *Changing {
	i := slices.IndexFunc(p.Changing, func(c Changing) bool {
		rest, ok := strings.CutPrefix(path, c.Path)
		return ok && (rest == "" || c.Any && rest[0] == '~' && !strings.ContainsRune(rest, filepath.Separator))
	})
	if i < 0 {
		return nil
	}
	return &p.Changing[i]
}

// ChangesIn reports whether a path, or something below it, may change.
func (p Profile) ChangesIn(path string) bool {
	return slices.ContainsFunc(p.Changing, func(c Changing) bool { return workspace.WithinOS(c.Path, path) })
}

// check returns a fault with the code invalid_arguments for a profile that is
// malformed.
func (p Profile) check() error {
	all := slices.Concat([]string{p.Workspace}, p.Writable, p.Readable, p.Withheld, p.Protected, p.Secrets, p.Movable, p.Settings)
	if p.Temp != "" {
		all = append(all, p.Temp)
	}
	if p.Layers != nil {
		all = append(append(all, p.Layers.Dir), p.Layers.All()...)
	}
	for _, l := range p.Links {
		all = append(all, l.Path, l.Target)
	}
	for _, c := range p.Changing {
		all = append(all, c.Path)
	}
	if p.Preview != nil {
		all = append(all, p.Preview.Upper, p.Preview.Work)
	}
	for _, path := range all {
		if !filepath.IsAbs(path) || filepath.Clean(path) != path || strings.IndexByte(path, 0) >= 0 {
			return notAbsolute(path)
		}
	}
	if p.Filesystem != ReadOnly && p.Filesystem != Workspace {
		return unknownFilesystem(p.Filesystem)
	}
	if p.Network != NoNetwork && !p.Network.Private() && p.Network != Full {
		return unknownNetwork(p.Network)
	}
	return nil
}

// Roots returns the directories that may be written to.
func (p Profile) Roots() []string {
	if p.Filesystem != Workspace {
		return nil
	}
	return append([]string{p.Workspace}, p.Writable...)
}

// LayerPaths returns the directories with layers.
func (p Profile) LayerPaths() []string {
	if p.Layers == nil || p.Filesystem != Workspace {
		return nil
	}
	return p.Layers.All()
}

// opens reports whether a path lies in one that the profile lets be read by name.
func (p Profile) opens(path string) bool {
	open := slices.Concat([]string{p.Workspace, p.Temp}, p.Roots(), p.Readable, p.LayerPaths())
	return slices.ContainsFunc(open, func(dir string) bool { return dir != "" && workspace.WithinOS(path, dir) })
}

// opensIn reports whether a path in a secret lies in one that the profile opens there.
func (p Profile) opensIn(secret, path string) bool {
	return slices.ContainsFunc(p.Readable, func(open string) bool {
		return open != secret && workspace.WithinOS(open, secret) && workspace.WithinOS(path, open)
	})
}

// withholds reports whether a path exists that cannot be read because it lies in a
// withheld directory.
func (p Profile) withholds(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return err == nil && !p.opens(path) && !p.opens(real) &&
		slices.ContainsFunc(p.Withheld, func(dir string) bool { return workspace.WithinOS(real, dir) })
}

// opening returns the setting that also opens a path, as JSON.
func (p Profile) opening(path string) string {
	var all []string
	for _, open := range append(slices.Clone(p.Opened), path) {
		all = append(all, strconv.Quote(open))
	}
	return "[" + strings.Join(all, ",") + "]"
}

// Inside reports whether a path lies in a directory that may be written to.
func (p Profile) Inside(path string) bool {
	return slices.ContainsFunc(p.Roots(), func(root string) bool { return root != path && workspace.WithinOS(path, root) })
}

// Parents returns the directories that lead from a writable directory to a path,
// the outermost first.
func (p Profile) Parents(path string) []string {
	var dirs []string
	for dir := filepath.Dir(path); p.Inside(dir); dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

// protectTargets also protects what protected paths lead to: a link to a directory
// of hooks protects nothing by itself.
func (p *Profile) protectTargets() {
	for _, path := range slices.Clone(p.Protected) {
		if real := resolve(path); p.Inside(real) && !slices.Contains(p.Protected, real) {
			p.Protected = append(slices.Clip(p.Protected), real)
		}
	}
}

// resolve follows the symbolic links of a path as far as it exists.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolve(dir), filepath.Base(path))
	}
	return path
}
