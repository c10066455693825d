package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// tar judges tar, whose first word may be options without a dash.
func (a *analysis) tar(argv []word) {
	args := argv[1:]
	if len(args) == 0 {
		return
	}
	var letters strings.Builder
	for i, w := range args {
		switch {
		case w.mayBeOption():
			a.dynamic("tar", w)
		case strings.HasPrefix(w.text, "--"):
			a.tarLong(w)
		case i == 0 || strings.HasPrefix(w.text, "-"):
			letters.WriteString(strings.TrimPrefix(w.text, "-"))
		}
	}
	if strings.ContainsAny(letters.String(), "IF") {
		a.raise(Destructive, Obfuscated, fault.T("%s %s may run another program", "%s %s 可能会运行其他程序", "tar", "-I"))
	}
	lists := strings.Contains(letters.String(), "t") && !strings.ContainsAny(letters.String(), "xcruA")
	if !lists && !hasOption(args, "--list") {
		a.raise(Write, "", fault.T("%s changes files", "%s 会修改文件", "tar"))
	}
	a.tarPaths(args, strings.ContainsAny(letters.String(), "cruA") || hasOption(args, "--create", "--append", "--update"))
}

func (a *analysis) tarLong(w word) {
	name, _, _ := strings.Cut(w.text[2:], "=")
	bad := options{"", "use-compress-program to-command checkpoint-action info-script new-volume-script rsh-command rmt-command"}
	if found, _ := bad.find(name, true); found && name != "to" {
		a.raise(Destructive, Obfuscated, fault.T("%s %s may run another program", "%s %s 可能会运行其他程序", "tar", w.source))
	}
	for _, writes := range [...]string{"index-file", "volno-file", "listed-incremental"} {
		if _, value, ok := strings.Cut(w.text, "="); strings.HasPrefix(writes, name) && name != "" && name != "list" {
			if !ok {
				a.raise(Destructive, UnknownFlags, fault.T("tar %s writes a file", "tar %s 会写入文件", w.source))
				continue
			}
			a.writes(literal(value))
		}
	}
	switch {
	case strings.HasPrefix("remove-files", name) && len(name) > 2, strings.HasPrefix("delete", name) && len(name) > 1:
		a.raise(Destructive, "", fault.T("%s takes data away", "%s 会删除数据", "tar "+w.text))
	case strings.HasPrefix(name, "absolute"):
		a.raise(Destructive, Outside, fault.T("tar %s may write outside the workspace", "tar %s 可能会写到工作区之外", w.source))
	}
}

// tarPaths judges the archive and the directory that tar works in.
func (a *analysis) tarPaths(args []word, creates bool) {
	for i, w := range args {
		next := word{}
		if i+1 < len(args) {
			next = args[i+1]
		}
		name, value, joined := strings.Cut(w.text, "=")
		switch {
		case name == "--directory" || w.text == "-C":
			if joined {
				next = literal(value)
			}
			a.writesIfOutside(next)
		case name == "--file" && joined && creates:
			a.writes(literal(value))
		case !creates && remoteArchive(w, next, value, i) && !hasOption(args, "--force-local"):
			a.network()
			a.raise(Destructive, Network, fault.T("tar reads from another machine: %s", "tar 会从其他机器读取：%s", w.source))
		case w.text == "-g" || i > 0 && strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") && strings.HasSuffix(w.text, "g"):
			a.writes(next)
		case creates && (w.text == "--file" || strings.HasSuffix(w.text, "f") && (i == 0 || strings.HasPrefix(w.text, "-"))):
			if next.text == "-" {
				continue
			}
			if strings.Contains(next.text, ":") && !strings.HasPrefix(next.text, "/") {
				a.network()
				a.raise(Destructive, Network, fault.T("tar writes to another machine: %s", "tar 会写到其他机器：%s", next.source))
			}
			a.writes(next)
		case strings.Contains(w.text, "/"):
			a.reads(w)
		}
	}
}

// remoteArchive reports whether an option of tar names an archive on another
// machine, as in host:file: tar runs a program to reach it.
func remoteArchive(w, next word, value string, i int) bool {
	archive := next.text
	switch {
	case strings.HasPrefix(w.text, "--file=") || strings.HasPrefix(w.text, "--fil=") || strings.HasPrefix(w.text, "--fi="):
		archive = value
	case w.text == "--file":
	case strings.HasPrefix(w.text, "--"):
		return false
	case strings.HasPrefix(w.text, "-") && strings.Contains(w.text, "f"):
		if _, joined, _ := strings.Cut(w.text, "f"); joined != "" {
			archive = joined
		}
	case i != 0 || !strings.Contains(w.text, "f"):
		return false
	}
	host, _, ok := strings.Cut(archive, ":")
	return ok && !strings.Contains(host, "/")
}
