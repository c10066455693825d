package policy

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/workspace"
)

// forbidden returns the reason why a part is denied whatever the configuration says;
// empty for other parts.
func (p *Policy) forbidden(q *Request, t part) fault.Text {
	if !q.Forbidden.IsZero() {
		return q.Forbidden
	}
	if t.path != nil && t.path.Use != schema.ReadPath && slices.Contains(namesOf(t.path.Path).folded, ".helve") {
		return fault.T("%s belongs to helve's own configuration", t.path.Path)
	}
	if t.command == nil {
		return fault.Text{}
	}
	for i, argv := 0, t.command.Argv; i < len(argv); i++ {
		if why := p.forbiddenCommand(argv[i:]); !why.IsZero() {
			return why
		}
		if i == 0 && !wraps(program(argv[0])) {
			break
		}
	}
	return fault.Text{}
}

// wraps reports whether a program runs the command in its arguments.
func wraps(name string) bool {
	switch name {
	case "sudo", "doas", "su", "env", "nohup", "nice", "ionice", "time", "timeout", "command", "exec", "builtin",
		"busybox", "toybox", "stdbuf", "setsid", "xargs", "chroot", "unshare", "nsenter", "watch", "parallel":
		return true
	}
	return false
}

// forbiddenCommand returns the reason why a command is always denied; empty for others.
func (p *Policy) forbiddenCommand(argv []string) fault.Text {
	name, args := program(argv[0]), argv[1:]
	switch {
	case name == "rm" && recursive(args) && slices.ContainsFunc(args, p.everything):
		return fault.T("%s deletes everything", line(argv))
	case name == "find" && slices.Contains(args, "-delete") && slices.ContainsFunc(args, p.everything):
		return fault.T("%s deletes everything", line(argv))
	case name == "mkfs" || strings.HasPrefix(name, "mkfs.") || name == "mke2fs" || name == "format" || name == "diskpart":
		return fault.T("%s formats a disk", line(argv))
	case writesDevice(name, args):
		return fault.T("%s writes to a raw device", line(argv))
	case name == "helve" && governs(args):
		return fault.T("only a person may run %s", line(argv))
	}
	return fault.Text{}
}

// recursive reports whether rm's arguments ask for recursion.
func recursive(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		if strings.HasPrefix(a, "--") { // GNU accepts any unambiguous prefix
			return len(a) > 2 && strings.HasPrefix("--recursive", a)
		}
		return strings.HasPrefix(a, "-") && strings.ContainsAny(a, "rR")
	})
}

// everything reports whether an operand is the root of the file system, the home
// directory, or a directory above that.
func (p *Policy) everything(operand string) bool {
	if operand == "" || operand[0] == '-' {
		return false
	}
	for _, home := range []string{"${HOME}", "$HOME", "~"} {
		if rest, ok := strings.CutPrefix(operand, home); ok && (rest == "" || rest[0] == '/') {
			if operand = "/~" + rest; p.opt.Home != "" {
				operand = p.opt.Home + rest
			}
			break
		}
	}
	if operand[0] != '/' {
		return false
	}
	for {
		cut := strings.TrimSuffix(strings.TrimRight(operand, "*"), "/.")
		if cut = strings.TrimRight(cut, "/"); cut == operand {
			break
		}
		operand = cut
	}
	clean := path.Clean("/" + operand)
	return clean == "/" || clean == "/~" ||
		p.opt.Home != "" && workspace.Within(p.opt.Home, clean)
}

// writesDevice reports whether a command writes to a raw device.
func writesDevice(name string, args []string) bool {
	switch name {
	case "dd":
		return slices.ContainsFunc(args, func(a string) bool {
			of, ok := strings.CutPrefix(a, "of=")
			return ok && rawDevice(of)
		})
	case "cp", "mv", "install":
		return len(args) > 0 && rawDevice(args[len(args)-1])
	case "tee", "shred", "wipefs", "blkdiscard", "badblocks", "fdisk", "sfdisk", "sgdisk", "parted", "mkswap", "hdparm", "truncate", "rm":
		return slices.ContainsFunc(args, rawDevice)
	}
	return false
}

// rawDevice reports whether a path is a disk, a partition or memory, by their names
// on Linux, macOS and Windows.
func rawDevice(operand string) bool {
	clean := path.Clean(strings.ReplaceAll(operand, `\`, "/"))
	if strings.HasPrefix(strings.ToLower(clean), "//./physicaldrive") || strings.HasPrefix(strings.ToLower(clean), "/./physicaldrive") ||
		strings.HasPrefix(strings.ToLower(clean), "/physicaldrive") {
		return true
	}
	name, ok := strings.CutPrefix(clean, "/dev/")
	if !ok {
		return false
	}
	for _, prefix := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "dm-", "md", "loop", "ram", "mem", "kmem", "port"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// governs reports whether arguments of helve decide about approvals, trust or policy.
func governs(args []string) bool {
	var words []string
	surely := true // no unknown flag before it: the first word is the command
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		switch name {
		case "--root", "--project", "--config", "-o", "--output-format", "--lang", "--approval", "--session":
			if !joined {
				i++
			}
		case "-v", "--verbose", "--readonly", "--no-input", "--":
		default:
			if strings.HasPrefix(name, "-") {
				if len(words) == 0 {
					surely = false
				}
				continue
			}
			words = append(words, args[i])
		}
	}
	for i, word := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch word {
		case "approve", "deny":
			return true
		case "config":
			if next == "set" || next == "trust" {
				return true
			}
		case "memory":
			if next == "on" || next == "off" {
				return true
			}
		case "tools":
			switch next {
			case "register", "unregister", "enable", "disable":
				return true
			}
		}
		if surely {
			return false
		}
	}
	return false
}

// line shows a command in a message, cut where it is long.
func line(argv []string) string {
	const most = 200
	s := strings.Join(argv, " ")
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
