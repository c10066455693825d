// Package darwin starts commands under Seatbelt, the sandbox of macOS, by a profile for
// sandbox-exec(1).
package darwin

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// seatbeltProfile returns a profile in the language of sandbox-exec(1). The last rule
// that matches decides. The file is built on every system, so that its test runs on
// all of them.
func seatbeltProfile(p sandbox.Profile) string {
	var b strings.Builder
	line := func(s string) { b.WriteString(s + "\n") }
	line("(version 1)")
	line("(deny default)")
	line("(allow process-exec*)")
	line("(allow process-fork)")
	line("(allow process-info* (target same-sandbox))")
	line("(allow signal (target same-sandbox))")
	line("(allow sysctl-read)")
	line("(allow ipc-posix-sem)")
	line("(allow ipc-posix-shm)")
	line("(allow pseudo-tty)")
	line("(allow user-preference-read)")
	// Programs need these services to start and to look up users and time zones.
	// None of them opens other programs or sends them events.
	for _, service := range [...]string{
		"com.apple.system.opendirectoryd.libinfo", "com.apple.system.notification_center", "com.apple.system.logger",
		"com.apple.logd", "com.apple.trustd.agent", "com.apple.SystemConfiguration.configd",
	} {
		line(`(allow mach-lookup (global-name ` + quoteSeatbelt(service) + `))`)
	}
	readable := func() {
		for _, path := range slices.Concat([]string{p.Workspace}, p.Writable, p.Readable) {
			line("(allow file-read* (subpath " + quoteSeatbelt(path) + "))")
		}
		if p.Temp != "" {
			line("(allow file-read* (subpath " + quoteSeatbelt(p.Temp) + "))")
		}
	}
	if p.Closed {
		line(`(allow file-read-metadata)`)
		line(`(allow file-read* (literal "/"))`)
		for _, dir := range [...]string{"/bin", "/sbin", "/usr", "/opt", "/nix", "/dev", "/System", "/Library", "/Applications", "/private/etc", "/private/var/db"} {
			line("(allow file-read* (subpath " + quoteSeatbelt(dir) + "))")
		}
		readable()
	} else {
		line("(allow file-read*)")
		for _, dir := range p.Withheld {
			line("(deny file-read-data file-read-xattr (subpath " + quoteSeatbelt(dir) + "))")
		}
		if len(p.Withheld) > 0 {
			readable()
		}
	}
	line(`(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))`)
	for _, root := range p.Roots() {
		line("(allow file-write* (subpath " + quoteSeatbelt(root) + "))")
	}
	if p.Temp != "" {
		line("(allow file-write* (subpath " + quoteSeatbelt(p.Temp) + "))")
	}
	for _, path := range p.Protected {
		line("(deny file-write* (subpath " + quoteSeatbelt(path) + ") (regex " + foldedRegex(path) + "))")
		// Nor may a directory above it be renamed.
		for _, dir := range p.Parents(path) {
			line("(deny file-write-unlink file-write-create (literal " + quoteSeatbelt(dir) + "))")
		}
	}
	for _, path := range p.Secrets {
		line("(deny file-read* file-write* (subpath " + quoteSeatbelt(path) + "))")
	}
	for _, path := range p.Readable {
		if slices.ContainsFunc(p.Secrets, func(secret string) bool { return secret != path && workspace.WithinOS(path, secret) }) {
			line("(allow file-read* (subpath " + quoteSeatbelt(path) + "))")
		}
	}
	switch p.Network {
	case sandbox.Full:
		line("(allow network*)")
		line("(allow system-socket)")
	case sandbox.Local:
		line(`(allow network* (local ip "localhost:*"))`)
		line(`(allow network-outbound (remote ip "localhost:*"))`)
	}
	return b.String()
}

// quoteSeatbelt returns a string literal of the profile language, which is Scheme's.
func quoteSeatbelt(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return strconv.Quote(s)
}

// foldedRegex returns an expression that matches a path and what is below it in any
// case: most volumes of macOS ignore case, and paths in a profile do not.
func foldedRegex(path string) string {
	var b strings.Builder
	b.WriteString(`#"^`)
	for _, r := range path {
		lower, upper := unicode.ToLower(r), unicode.ToUpper(r)
		switch {
		case lower != upper:
			b.WriteString("[" + string(lower) + string(upper) + "]")
		case strings.ContainsRune(`.^$*+?()[]{}|\"`, r):
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteString(`(/.*)?$"`)
	return b.String()
}
