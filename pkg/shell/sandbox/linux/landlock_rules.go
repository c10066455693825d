//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// rulesTime limits the time that may go by until a command starts because there are
// many entries beside what is hidden, and ruleTime is about the time that a rule takes.
const (
	rulesTime = 400 * time.Millisecond
	ruleTime  = 8 * time.Microsecond
)

// granting collects the rules of a profile. Paths are free of links.
type granting struct {
	secrets, withheld []string
	rules             []rule
	hidden            []string // what is hidden in writable directories
	most              int      // rules, at most
	crowded           []string // directories with entries for which there was no time
	left              int      // such entries, which are unreadable, too
}

// landlockRules returns the rules of a profile for the kind [sandbox.Landlock] and a
// program to start. Landlock cannot take back a right that it granted for a directory
// above, so rights are granted to what is readable: of a withheld directory, to what the
// profile opens there. Only a directory with a secret of the machine or of a rule is
// listed, and its other entries get a rule each, what the profile names first.
func landlockRules(p sandbox.Profile, program string) *granting {
	return grants(p, program, int(rulesTime/ruleTime))
}

// LeftOut implements [sandbox.System].
func (System) LeftOut(p sandbox.Profile, k sandbox.Kind) int {
	if k != sandbox.Landlock {
		return 0
	}
	return landlockRules(p, "").left
}

// grants does so with at most about so many rules.
func grants(p sandbox.Profile, program string, most int) *granting {
	g := &granting{withheld: realDirectories(p.Withheld), most: most}
	g.secrets = slices.DeleteFunc(realPaths(p.Secrets), func(path string) bool { return unreachable(path) || isPlain(path) })
	g.hidden = hiddenIn(p, g.secrets)
	for _, root := range p.Roots() {
		rights := uint64(rightsWrite)
		if slices.ContainsFunc(g.hidden, func(path string) bool { return workspace.WithinOS(path, root) }) {
			rights = rightsWrite&^rightsRead | rightsList
		}
		g.rules = append(g.rules, rule{Path: root, Rights: rights})
	}
	if p.Temp != "" {
		g.rules = append(g.rules, rule{Path: p.Temp, Rights: rightsWrite})
	}
	g.rules = append(g.rules, deviceRules()...)
	if p.Filesystem == sandbox.Workspace {
		g.rules = append(g.rules, rule{Path: "/dev/shm", Rights: rightsWrite})
	}
	readable := realPaths(p.Readable)
	if real, err := filepath.EvalSymlinks(program); err == nil {
		readable = append(readable, real)
	}
	slices.Sort(readable) // what is above others comes first
	above := "-"          // no path
	for _, path := range readable {
		if !workspace.WithinOS(path, above) {
			above = path
			g.open(path, !isDirectory(path))
		}
	}
	for _, dir := range slices.Concat([]string{p.Workspace}, p.Writable) {
		g.open(dir, false)
	}
	if p.Closed {
		g.openSystem()
	} else {
		g.grant("/", false, slices.Concat(g.secrets, g.withheld))
	}
	return g
}

// open lets the command read a path that the profile names, wherever it lies, but for the
// secrets in it.
func (g *granting) open(path string, file bool) { g.grant(path, file, g.secrets) }

// openSystem lets the command read what a closed profile shows of the machine.
func (g *granting) openSystem() {
	shown, _, err := topDirectories()
	if err != nil {
		return // then nothing of it is readable
	}
	for _, dir := range shown {
		if dir != "/dev" {
			g.open(dir, false)
		}
	}
}

// grant lets the command read a path but for the holes in it.
func (g *granting) grant(path string, file bool, holes []string) {
	var inner []string
	leads := map[string]bool{} // the entries with a hole: false if the entry itself is one
	below := strings.TrimSuffix(path, "/") + "/"
	for _, hole := range holes {
		if rest, ok := strings.CutPrefix(hole, below); ok && rest != "" {
			name, _, deeper := strings.Cut(rest, "/")
			was, known := leads[name]
			leads[name] = deeper && (was || !known)
			inner = append(inner, hole)
		}
	}
	if len(inner) == 0 && path != "/" { // /dev has rules of its own
		g.rules = append(g.rules, rule{path, rightsRead, file})
		return
	}
	// The right to list holds for everything below as well.
	if !slices.ContainsFunc(g.withheld, func(dir string) bool { return workspace.WithinOS(dir, path) }) {
		g.rules = append(g.rules, rule{Path: path, Rights: rightsList})
	}
	entries, err := entriesOf(path)
	if err != nil {
		return
	}
	g.rules = slices.Grow(g.rules, min(len(entries), g.most))
	for i, e := range entries {
		if len(g.rules) >= g.most {
			g.left += len(entries) - i
			g.crowded = append(g.crowded, path)
			return
		}
		child := below + e.name
		switch deeper, known := leads[e.name]; {
		case child == "/dev" || known && !deeper:
		case known:
			g.grant(child, e.file, inner)
		default:
			g.rules = append(g.rules, rule{child, rightsRead, e.file})
		}
	}
}

// deviceRules returns the rules for the devices that may be used.
func deviceRules() []rule {
	rules := []rule{{Path: "/dev", Rights: rightsList}, {Path: "/dev/pts", Rights: rightsDevices}, {Path: "/dev/fd", Rights: rightsRead}}
	for _, name := range [...]string{"null", "zero", "full", "random", "urandom", "tty", "ptmx"} {
		rules = append(rules, rule{"/dev/" + name, rightsDevice, true})
	}
	return rules
}

// unreachable reports whether this user can neither read a path nor go through it, or
// neither anything in a directory of somebody else. Then no rule needs to leave it out,
// because the command has no more rights: /etc/sudoers.d, of which an ordinary user reads
// only the names, would else cost a rule for all that is beside it.
func unreachable(path string) bool {
	if denied(path) {
		return true
	}
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil || int(st.Uid) == unix.Geteuid() || unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS) == nil {
		return false // something may be put there
	}
	names, err := namesIn(path)
	return err == nil && 0 < len(names) && len(names) <= mostShut && !slices.ContainsFunc(names, func(name string) bool { return !denied(filepath.Join(path, name)) })
}

// mostShut limits the entries of a directory that are asked about.
const mostShut = 16

// denied reports whether this user can neither read a path nor go through it, nor give
// itself the right to.
func denied(path string) bool {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil || int(st.Uid) == unix.Geteuid() {
		return false
	}
	for _, right := range [...]uint32{unix.R_OK, unix.X_OK} {
		if unix.Faccessat(unix.AT_FDCWD, path, right, unix.AT_EACCESS) != unix.EACCES {
			return false
		}
	}
	return true
}

// isPlain reports whether a file is NuGet's or Maven's settings and holds no password. NuGet
// writes such a file for everybody, and neither runs without reading one that is there;
// Landlock cannot show another one in its place.
func isPlain(path string) bool {
	var mark string
	switch filepath.Base(path) {
	case "NuGet.Config":
		mark = "packagesources"
	case "settings.xml":
		mark = "<settings"
	default:
		return false
	}
	data, err := readAll(path, 64<<10)
	if err != nil || len(data) == 64<<10 {
		return false
	}
	text := bytes.ToLower(data)
	for _, word := range [...]string{"credential", "password", "passphrase", "privatekey", "apikey", "token", "secret", "proxy", "@"} {
		if bytes.Contains(text, []byte(word)) {
			return false
		}
	}
	return bytes.Contains(text, []byte(mark))
}

// realPaths resolves the symbolic links of those paths that exist. Most do not, and often
// not even the directory that they would be in.
func realPaths(paths []string) []string {
	all := make([]string, 0, 32)
	sought := make(soughtDirectories, len(paths)/4)
	parents := make([]*soughtDirectory, len(paths))
	for i, path := range paths {
		parents[i] = sought.above(path)
	}
	var resolver workspace.Resolver
	for i, path := range paths {
		if !parents[i].mayHold(path) {
			continue
		}
		real, err := resolver.Resolve(path)
		if errors.Is(err, fs.ErrPermission) {
			if real, err = shutAbove(path, &resolver); slices.Contains(all, real) {
				continue
			}
		}
		if err == nil {
			all = append(all, real)
		}
	}
	return all
}

// shutAbove returns the directory of this user's own that keeps a path from being looked at:
// its owner may open it again, and so may a command.
func shutAbove(path string, resolver *workspace.Resolver) (string, error) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		real, err := resolver.Resolve(dir)
		if errors.Is(err, fs.ErrPermission) && dir != filepath.Dir(dir) {
			continue
		}
		var st unix.Stat_t
		if err == nil {
			err = unix.Lstat(real, &st)
		}
		if err == nil && int(st.Uid) != unix.Geteuid() {
			err = fs.ErrPermission
		}
		return real, err
	}
}

// soughtDirectories are the directories above paths that are asked about, by their paths with
// a slash at the end.
type soughtDirectories map[string]*soughtDirectory

// soughtDirectory is one of them.
type soughtDirectory struct {
	path   string
	above  *soughtDirectory // nil for the root
	sought int              // entries that are asked about
	asked  bool
	gone   bool            // it does not exist
	names  map[string]bool // what is in it; nil if that is not known
}

// above returns the directory that a path is in.
func (all soughtDirectories) above(path string) *soughtDirectory {
	name := path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
	d := all[name]
	if d == nil {
		d = &soughtDirectory{path: name}
		if all[name] = d; len(name) > 1 {
			d.above = all.above(name)
		}
	}
	d.sought++
	return d
}

// mayHold reports whether there may be an entry: often without a look at it.
func (d *soughtDirectory) mayHold(path string) bool {
	const many = 8 // entries, for which listing is cheaper
	if !d.asked {
		d.asked = true
		d.gone = d.above != nil && !d.above.mayHold(strings.TrimSuffix(d.path, "/"))
		if !d.gone && d.sought >= many && !isLarge(d.path) {
			d.names = nameSet(d.path)
		}
	}
	switch {
	case d.gone:
		return false
	case d.names != nil:
		return d.names[path[len(d.path):]]
	}
	return unix.Access(path, unix.F_OK) != unix.ENOENT
}

// isLarge reports whether a directory takes longer to list than to ask for some names.
func isLarge(dir string) bool {
	var st unix.Stat_t
	return unix.Stat(dir, &st) == nil && st.Size > 32<<10
}

// nameSet returns the names in a directory, nil if it cannot be listed.
func nameSet(dir string) map[string]bool {
	names, err := namesIn(dir)
	if err != nil && !errors.Is(err, unix.ENOENT) {
		return nil
	}
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// dirEntry is an entry of a directory.
type dirEntry struct {
	name string
	file bool // it is known not to be a directory
}

// entriesOf lists a directory without symbolic links: a rule for a link would be a
// rule for its target.
func entriesOf(dir string) ([]dirEntry, error) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var all []dirEntry
	buf := make([]byte, dirBuffer)
	for {
		n, err := unix.ReadDirent(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return all, err
		}
		for rest := buf[:n]; len(rest) > 0; {
			// struct linux_dirent64 of getdents(2): an inode, an offset, the
			// length of the record, the kind, and the name up to a NUL.
			size := int(binary.NativeEndian.Uint16(rest[16:]))
			name, _, _ := bytes.Cut(rest[19:size], []byte{0})
			kind := rest[18]
			rest = rest[size:]
			if s := string(name); s != "." && s != ".." && kind != unix.DT_LNK && (kind != unix.DT_UNKNOWN || !isLink(filepath.Join(dir, s))) {
				all = append(all, dirEntry{s, kind == unix.DT_REG})
			}
		}
	}
}

func isLink(path string) bool {
	var st unix.Stat_t
	return unix.Lstat(path, &st) != nil || st.Mode&unix.S_IFMT == unix.S_IFLNK
}
