package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// maxDenials limits the refused accesses of a result.
const maxDenials = 20

// Denial is an access that a program reported as refused and that the profile does
// refuse.
type Denial struct {
	Op   string     // read, write or network
	Path string     // absolute; for network the host, if the output names it
	Rule string     // the part of the profile that refuses it
	Fix  fault.Text // what a person could do
	// Refused says that nothing listens where the command connected to its own loopback.
	Refused bool

	named bool // the profile names the path or one above it
}

// Denials returns the refused accesses that the output of a command reports. A program
// may print anything, so only what the profile refuses counts. dir is the directory
// that the command ran in.
func (c *Confinement) Denials(output, dir string) []Denial {
	if !c.Kind.Confines() {
		return nil
	}
	var all []Denial
	add := func(d Denial) {
		same := func(o Denial) bool { return o.Op == d.Op && o.Path == d.Path }
		if len(all) < maxDenials && !slices.ContainsFunc(all, same) {
			all = append(all, d)
		}
	}
	for line := range strings.Lines(output) {
		switch complaint(line) {
		case aboutFile, aboutMissing:
			if d, ok := c.refusal(pathsIn(line, dir), complaint(line) == aboutMissing); ok {
				add(d)
			}
		case aboutNetwork:
			if c.report.Network != Full {
				host, refused := hostIn(line), c.refused(line)
				add(Denial{Op: "network", Path: host, Rule: "network=" + string(c.report.Network), Fix: c.wider(refused), Refused: refused})
			}
		}
	}
	return all
}

// refused reports whether a line says that nothing listens at an address of the sandbox's
// loopback: other addresses are unreachable. curl says the same of both.
func (c *Confinement) refused(line string) bool {
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(line, word) })
	}
	return c.report.Network.Private() &&
		(says("onnection refused", "ECONNREFUSED") || says("onnect to server") && says(" localhost ", " 127.", " ::1 "))
}

// wider says what to do to reach more.
func (c *Confinement) wider(refused bool) fault.Text {
	switch {
	case refused:
		return fault.T("nothing listens there: the loopback is that of this session's commands. A server started with background=true is reached at localhost by later commands; one of the machine itself only with network=full, which a person must approve")
	case c.report.Network == Hosts:
		return fault.T("names are looked up and hosts reached by the proxy alone that HTTPS_PROXY and ALL_PROXY name: have the program use it, or ask for network=full, which a person must approve")
	case c.report.Network == Local:
		return fault.T("the command has a loopback of its own, on which only its own servers listen: to reach the machine's or others, ask for network=full; a person must approve it")
	case c.Profile.Network == Local:
		return fault.T("this sandbox has no loopback: a server, and the command that asks it, need network=full, which a person must approve")
	case c.Kind == Namespaces:
		return fault.T("ask for network=local if it talks to servers that it starts, else for network=full, which a person must approve")
	}
	return fault.T("ask for network=full; a person must approve it")
}

// refusal returns the access that a line reports. Any word of the line may be a file to
// be created, so a path that the profile names is preferred. A hidden secret is
// reported as missing; nothing else that is missing was refused.
func (c *Confinement) refusal(paths []string, missing bool) (first Denial, ok bool) {
	for _, path := range paths {
		d, refused := c.refuses(path)
		switch {
		case !refused || missing && d.Op != "read":
		case d.named:
			return d, true
		case !ok:
			first, ok = d, true
		}
	}
	return first, ok
}

// subject is the kind of a complaint.
type subject int

const (
	aboutNothing subject = iota
	aboutFile
	aboutMissing
	aboutNetwork
)

// complaint returns what a line complains about. It knows the words of strerror(3) and
// of programs that have their own.
func complaint(line string) subject {
	for _, text := range [...]string{
		"Could not resolve host", "Network is unreachable", "network is unreachable", "Temporary failure in name resolution",
		"Name or service not known", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "no such host",
		"unable to access 'http",
		"onnection refused", "ECONNREFUSED", "Couldn't connect to server", "Could not connect to server",
		"socket: operation not permitted", "socket: Operation not permitted", "listen EPERM", "connect EPERM", // of seccomp
	} {
		if strings.Contains(line, text) {
			return aboutNetwork
		}
	}
	for _, text := range [...]string{
		"Permission denied", "permission denied", "Read-only file system", "read-only file system", "Operation not permitted",
		"operation not permitted", "EACCES", "EROFS", "EPERM", "PermissionError", "Device or resource busy",
	} {
		if strings.Contains(line, text) {
			return aboutFile
		}
	}
	if strings.Contains(line, "No such file or directory") || strings.Contains(line, "ENOENT") {
		return aboutMissing
	}
	return aboutNothing
}

// pathsIn returns the words of a line that may be paths: quoted ones, and those between
// blanks or colons.
func pathsIn(line, dir string) []string {
	var all []string
	add := func(s string) {
		s = strings.TrimSpace(s)
		if s == "" || len(s) > 4096 || strings.HasPrefix(s, "-") {
			return
		}
		if !filepath.IsAbs(s) {
			s = filepath.Join(dir, s)
		}
		if s = filepath.Clean(s); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, quote := range [...][2]string{{"'", "'"}, {"\"", "\""}, {"`", "'"}, {"‘", "’"}} {
		rest := line
		for {
			_, after, ok := strings.Cut(rest, quote[0])
			if !ok {
				break
			}
			inner, more, ok := strings.Cut(after, quote[1])
			if !ok {
				break
			}
			add(inner)
			rest = more
		}
	}
	for part := range strings.SplitSeq(line, ": ") {
		add(part)
		for field := range strings.FieldsSeq(part) {
			add(strings.Trim(field, ",;()[]"))
		}
	}
	return all
}

// hostIn returns the host that a line names, "" if it names none.
func hostIn(line string) string {
	for _, before := range [...]string{"resolve host: ", "Could not resolve host: ", "getaddrinfo ENOTFOUND ", "lookup "} {
		if _, after, ok := strings.Cut(line, before); ok {
			fields := strings.Fields(after)
			if len(fields) > 0 {
				return strings.TrimRight(fields[0], ":,.")
			}
		}
	}
	return ""
}

// overblocks returns how a path is refused that is readable by the profile alone.
func (c *Confinement) overblocks(path string) (Denial, bool) {
	p := c.Profile
	if rel, ok := workspace.RelOS(path, p.Workspace); ok && c.Kind == Landlock && p.Hides != nil && p.Hides(filepath.ToSlash(rel)) && exists(filepath.Dir(path)) {
		return Denial{named: true, Op: "read", Path: path, Rule: "rule",
			Fix: fault.T("a rule hides this path, so that nothing can be read or made there; ask the person to change it")}, true
	}
	if !exists(path) {
		return Denial{}, false
	}
	holds := func(dir string) bool { return workspace.WithinOS(path, dir) && path != dir }
	switch {
	case c.changed != nil && slices.ContainsFunc(c.changed(), func(one string) bool { return workspace.WithinOS(path, one) }):
		return Denial{named: true, Op: "read", Path: path, Rule: "replaced",
			Fix: fault.T("it was replaced while the command ran, which could read what was there before: run the command again")}, true
	case slices.ContainsFunc(c.crowded, holds) && !p.opens(path):
		return Denial{named: true, Op: "read", Path: path, Rule: Overblocked,
			Fix: fault.T("beside what is hidden there are more entries than there is time for; a person opens this one with: helve config set exec.readable '%s'", p.opening(path))}, true
	case slices.Contains(c.report.Degraded, NewUnreadable) && slices.ContainsFunc(p.Secrets, func(one string) bool { return filepath.Dir(one) == filepath.Dir(path) && p.Inside(path) }):
		return Denial{named: true, Op: "read", Path: path, Rule: NewUnreadable,
			Fix: fault.T("it was made beside something hidden: read it with the next command, or make many files in a directory of their own")}, true
	}
	return Denial{}, false
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// refuses returns how the profile refuses a path, if it does.
func (c *Confinement) refuses(path string) (Denial, bool) {
	p := c.Profile
	for _, s := range p.Secrets {
		if workspace.WithinOS(path, s) && !p.opensIn(s, path) {
			return Denial{named: true, Op: "read", Path: path, Rule: "secret " + s,
				Fix: fault.T("secrets stay unreadable to commands; ask the person for what is needed of it")}, true
		}
	}
	if d, ok := c.overblocks(path); ok {
		return d, true
	}
	if p.withholds(path) {
		return Denial{named: true, Op: "read", Path: path, Rule: "exec.reads",
			Fix: fault.T("commands see of home directories only what builds need; a person opens this with: helve config set exec.readable '%s'", p.opening(path))}, true
	}
	for _, s := range p.Protected {
		if workspace.WithinOS(path, s) || workspace.WithinOS(s, path) && path != p.Workspace && p.Inside(path) {
			return Denial{named: true, Op: "write", Path: path, Rule: "protected " + s,
				Fix: fault.T("this path is protected; ask the person to change it")}, true
		}
	}
	writable := append(p.Roots(), p.Temp)
	if c.Kind == Namespaces {
		writable = append(writable, p.LayerPaths()...)
		writable = append(writable, "/tmp", "/var/tmp", "/run", "/dev/shm")
	}
	for _, root := range writable {
		if root != "" && workspace.WithinOS(path, root) {
			return Denial{}, false
		}
	}
	for _, device := range [...]string{"/dev/null", "/dev/tty", "/dev/zero"} {
		if path == device {
			return Denial{}, false
		}
	}
	if !mayWrite(path) {
		return Denial{}, false // not a path, or refused without a sandbox, too
	}
	if p.Filesystem == ReadOnly {
		return Denial{Op: "write", Path: path, Rule: "filesystem=readonly",
			Fix: fault.T("the command was judged to read only; say so if it must write")}, true
	}
	return Denial{Op: "write", Path: path, Rule: "outside the workspace",
		Fix: fault.T("write inside the workspace, or ask the person to allow this directory")}, true
}
