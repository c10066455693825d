package workspace

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// windowsPathFault returns why Windows would not treat a path as a plain file, but
// as a device, a stream, another drive or a name that it changes silently. The zero
// Text means that the path is plain. The rules are those of "Naming Files, Paths,
// and Namespaces" in the Win32 documentation.
func windowsPathFault(name string) fault.Text {
	p := strings.ReplaceAll(name, `\`, "/")
	if strings.HasPrefix(p, "//") {
		return fault.T("network and device paths are not allowed")
	}
	drive := len(p) >= 2 && p[1] == ':'
	switch {
	case drive && (len(p) == 2 || p[2] != '/'):
		return fault.T("a path relative to a drive is not allowed")
	case drive:
		p = p[3:]
	case strings.HasPrefix(p, "/"):
		return fault.T("a path without its drive is not allowed")
	}
	for part := range strings.SplitSeq(p, "/") {
		switch {
		case part == "" || part == "." || part == "..":
		case strings.ContainsRune(part, ':'):
			return fault.T("':' names a stream and is not allowed")
		case strings.ContainsAny(part, `<>"|?*`) || strings.ContainsFunc(part, func(c rune) bool { return c < ' ' }):
			return fault.T("%q has a character that Windows does not allow", part)
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
			return fault.T("%q ends in a dot or a space, which Windows drops", part)
		case windowsDevice(part):
			return fault.T("%q is the name of a device", part)
		}
	}
	return fault.Text{}
}

// windowsDevice reports whether a name, with any extension, is a device that exists
// in every directory.
func windowsDevice(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, ok := strings.CutPrefix(base, "COM")
	if !ok {
		port, ok = strings.CutPrefix(base, "LPT")
	}
	switch {
	case !ok:
		return false
	case len(port) == 1:
		return port[0] >= '0' && port[0] <= '9'
	}
	return port == "¹" || port == "²" || port == "³"
}
