package program

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// find judges find. Its tests are harmless, some of its actions are not.
func find(c Call) (f findings) {
	args := c.Args
	inPaths := true
	found := findsByName(args)
	for i := 0; i < len(args); i++ {
		w := args[i]
		if w.MayBeOption() {
			f.dynamic("find", w)
			continue
		}
		isOption := strings.HasPrefix(w.Text, "-") && len(w.Text) > 1
		if inPaths && !isOption && w.Text != "(" && w.Text != "!" && w.Text != ")" {
			f.reads(w)
			continue
		}
		if w.Text == "-H" || w.Text == "-L" || w.Text == "-P" || strings.HasPrefix(w.Text, "-O") {
			continue
		}
		inPaths = false
		i += f.findTerm(args, i, found)
	}
	return f
}

// findsByName returns the directories in which find looks for entries of one name; nil if
// its expression may hold for others.
func findsByName(args []word.Word) *finding.Found {
	found := &finding.Found{}
	for i := 0; i < len(args); i++ {
		switch w := args[i]; {
		case !w.Known():
			return nil
		case word.Listed("-type -maxdepth -mindepth -mtime -mmin", w.Text):
			i++
		case word.Listed("-prune -depth -empty -print", w.Text):
		case w.Text == "-name" && i+1 < len(args) && args[i+1].Known() && !strings.ContainsAny(args[i+1].Text, "*?[\\/"):
			i++
			found.Name = args[i].Text
		case w.Text == "-exec" && found.Name != "" && len(args) == i+5 && args[i+3].Text == "{}":
			return found
		case found.Name != "" || dashed(w) || strings.ContainsAny(w.Text, "(!),"):
			return nil
		default:
			found.Dirs = append(found.Dirs, w)
		}
	}
	return nil
}

// findTerm judges the i-th word of an expression and returns how many words behind
// it belong to it.
func (f *findings) findTerm(args []word.Word, i int, found *finding.Found) int {
	w := args[i]
	var value word.Word
	if i+1 < len(args) {
		value = args[i+1]
	}
	switch w.Text {
	case "-delete":
		f.effect(removes, "find -delete")
	case "-exec", "-execdir", "-ok", "-okdir":
		end := i + 1
		for end < len(args) && args[end].Text != ";" && args[end].Text != "+" {
			end++
		}
		f.findExec(args[i+1:end], found)
		return end - i
	case "-fprint", "-fprint0", "-fls":
		f.writes(value)
		return 1
	case "-fprintf":
		f.writes(value)
		return 2
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-lname", "-ilname", "-regex", "-iregex", "-type", "-xtype",
		"-size", "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-maxdepth", "-mindepth", "-perm", "-user", "-group", "-uid", "-gid",
		"-links", "-inum", "-printf", "-newer", "-anewer", "-cnewer", "-samefile", "-regextype", "-fstype", "-used", "-context",
		"-newermt", "-newerat", "-newerct", "-D", "-f":
		return 1
	case "-print", "-print0", "-ls", "-prune", "-quit", "-true", "-false", "-empty", "-readable", "-writable", "-executable", "-nouser",
		"-nogroup", "-depth", "-d", "-daystart", "-follow", "-mount", "-xdev", "-x", "-noleaf", "-ignore_readdir_race", "-not", "-and", "-a", "-or",
		"-o", "(", ")", "!", ",", "-help", "--help", "-version", "--version", "-warn", "-nowarn", "-E", "-s", "-X":
	default:
		f.unknownOption("find", w)
	}
	return 0
}

// findExec judges the command of -exec, in which "{}" is a path that is not known.
func (f *findings) findExec(args []word.Word, found *finding.Found) {
	inner := make([]word.Word, len(args))
	for i, w := range args {
		if strings.Contains(w.Text, "{}") {
			w = word.Word{Text: strings.ReplaceAll(w.Text, "{}", "./"+string(word.Hole)), Source: w.Source, Quoted: true}
		}
		inner[i] = w
	}
	if len(inner) == 0 {
		f.raise(policy.Destructive, finding.Syntax, fault.T("find -exec without a command"))
		return
	}
	if found != nil && inner[0].Text == "rm" {
		f.add(finding.Finding{Kind: finding.Run, NoInput: true, Words: inner, Found: found})
		return
	}
	f.runMore(inner)
}

// fd judges fd, which may run a command for each path that it finds.
func fd(c Call) (f findings) {
	for i, w := range c.Args {
		switch {
		case w.MayBeOption():
			f.dynamic("fd", w)
		case w.Text == "-x" || w.Text == "-X" || w.Text == "--exec" || w.Text == "--exec-batch":
			inner := slices.Clone(c.Args[i+1:])
			inner = append(inner, word.Word{Text: string(word.Hole), Source: "{}", Split: true})
			if len(inner) > 1 {
				f.add(finding.Finding{Kind: finding.RunMore, Words: inner})
			}
			return f
		case strings.HasPrefix(w.Text, "--ex") && !strings.HasPrefix(w.Text, "--exc") && !strings.HasPrefix(w.Text, "--ext"),
			len(w.Text) > 2 && w.Text[0] == '-' && w.Text[1] != '-' && strings.ContainsAny(w.Text, "xX") && !strings.ContainsAny(w.Text[:2], "edtEScmgopjM"):
			f.evaluates("fd")
		case !strings.HasPrefix(w.Text, "-"):
			f.reads(w)
		}
	}
	return f
}
