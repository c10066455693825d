package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// tar judges tar, whose first argument may be options without a dash.
func (a *analysis) tar(c call) {
	args := c.args
	if len(args) == 0 {
		return
	}
	var letters strings.Builder
	for i, w := range args {
		switch {
		case w.MayBeOption():
			a.dynamic("tar", w)
		case strings.HasPrefix(w.Text, "--"):
			a.tarLong(w)
		case i == 0 || strings.HasPrefix(w.Text, "-"):
			letters.WriteString(strings.TrimPrefix(w.Text, "-"))
		}
	}
	if strings.ContainsAny(letters.String(), "IF") {
		a.mayRun("tar", word.Literal("-I"))
	}
	lists := strings.Contains(letters.String(), "t") && !strings.ContainsAny(letters.String(), "xcruA")
	if !lists && !hasOption(args, "--list") {
		a.effect(changesFiles, "tar")
	}
	a.tarPaths(args, strings.ContainsAny(letters.String(), "cruA") || hasOption(args, "--create", "--append", "--update"))
}

func (a *analysis) tarLong(w word.Word) {
	name, _, _ := strings.Cut(w.Text[2:], "=")
	bad := options{"", "use-compress-program to-command checkpoint-action info-script new-volume-script rsh-command rmt-command"}
	if found, _ := bad.hasLong(name, true); found && name != "to" {
		a.mayRun("tar", w)
	}
	for _, writes := range [...]string{"index-file", "volno-file", "listed-incremental"} {
		if _, value, ok := strings.Cut(w.Text, "="); strings.HasPrefix(writes, name) && name != "" && name != "list" {
			if !ok {
				a.raise(Destructive, UnknownFlags, fault.T("tar %s writes a file", "tar %s 会写入文件", w.Source))
				continue
			}
			a.writes(word.Literal(value))
		}
	}
	switch {
	case strings.HasPrefix("remove-files", name) && len(name) > 2, strings.HasPrefix("delete", name) && len(name) > 1:
		a.effect(removes, "tar "+w.Text)
	case strings.HasPrefix(name, "absolute"):
		a.raise(Destructive, Outside, fault.T("tar %s may write outside the workspace", "tar %s 可能会写到工作区之外", w.Source))
	}
}

// tarPaths judges the archive and the directory that tar works in.
func (a *analysis) tarPaths(args []word.Word, creates bool) {
	for i, w := range args {
		next := word.Word{}
		if i+1 < len(args) {
			next = args[i+1]
		}
		name, value, joined := strings.Cut(w.Text, "=")
		switch {
		case name == "--directory" || w.Text == "-C":
			if joined {
				next = word.Literal(value)
			}
			a.writesBelow(next)
		case name == "--file" && joined && creates:
			a.writes(word.Literal(value))
		case !creates && remoteArchive(w, next, value, i) && !hasOption(args, "--force-local"):
			a.network()
			a.raise(Destructive, Network, fault.T("tar reads from another machine: %s", "tar 会从其他机器读取：%s", w.Source))
		case w.Text == "-g" || i > 0 && strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.HasSuffix(w.Text, "g"):
			a.writes(next)
		case creates && (w.Text == "--file" || strings.HasSuffix(w.Text, "f") && (i == 0 || strings.HasPrefix(w.Text, "-"))):
			if next.Text == "-" {
				continue
			}
			if strings.Contains(next.Text, ":") && !strings.HasPrefix(next.Text, "/") {
				a.network()
				a.raise(Destructive, Network, fault.T("tar writes to another machine: %s", "tar 会写到其他机器：%s", next.Source))
			}
			a.writes(next)
		case strings.Contains(w.Text, "/"):
			a.reads(w)
		}
	}
}

// remoteArchive reports whether an option of tar names an archive on another
// machine, as host:file does. tar runs a program to reach it.
func remoteArchive(w, next word.Word, value string, i int) bool {
	archive := next.Text
	switch {
	case strings.HasPrefix(w.Text, "--file=") || strings.HasPrefix(w.Text, "--fil=") || strings.HasPrefix(w.Text, "--fi="):
		archive = value
	case w.Text == "--file":
	case strings.HasPrefix(w.Text, "--"):
		return false
	case strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "f"):
		if _, joined, _ := strings.Cut(w.Text, "f"); joined != "" {
			archive = joined
		}
	case i != 0 || !strings.Contains(w.Text, "f"):
		return false
	}
	host, _, ok := strings.Cut(archive, ":")
	return ok && !strings.Contains(host, "/")
}
