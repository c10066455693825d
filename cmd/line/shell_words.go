package line

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/tool"
)

// given is an argument of a suggested call.
type given struct{ name, value string }

// insteadOf returns the call of a tool that does what a program of the shell does,
// as it is typed: "helve cat a b" means helve read. The caller's words are in it where
// they are plain; otherwise it shows the arguments in capitals. ok is false for a name
// that is no such program.
func insteadOf(name string, words []string) (call string, ok bool) {
	plain := bare(words)
	switch name {
	case "cat", "less", "more", "bat", "type", "view", "open", "show", "get":
		return reading(plain), true
	case "head", "tail":
		return partOf(name, words), true
	case "rm", "del", "remove", "unlink":
		return each("delete", "path", plain), true
	case "mv", "ren":
		return fromTo("move", plain), true
	case "cp":
		return fromTo("copy", plain), true
	case "touch", "create", "new":
		return typed("write", given{"path", first(plain, "PATH")}, given{"content", ""}), true
	case "md":
		return each("mkdir", "path", plain), true
	case "tree":
		return typed("ls", given{"path", first(plain, ".")}, given{"depth", "3"}), true
	case "dir", "ll":
		return typed("ls", given{"path", first(plain, ".")}), true
	case "sed":
		return substituted(words), true
	case "vi", "vim", "nano", "emacs", "replace":
		return typed("edit", given{"path", first(plain, "PATH")}, given{"old_text", "OLD"}, given{"new_text", "NEW"}), true
	case "apply":
		return typed("patch", given{"patch", first(plain, "FILE")}), true
	case "search", "rg", "ag", "ack", "egrep":
		return searching(plain), true
	case "fgrep":
		return searching(plain) + " --literal", true
	case "fd", "locate":
		return typed("find", given{"query", first(plain, "NAME")}), true
	case "curl", "wget":
		return typed("fetch", given{"url", first(plain, "URL")}), true
	case "google":
		return typed("websearch", given{"query", strings.Join(plain, " ")}), true
	case "date":
		return typed("time"), true
	case "ps", "kill":
		return typed("job"), true
	case "bash", "sh", "zsh", "dash", "run", "shell":
		return running(name, words), true
	case "awk", "chmod", "chown", "cut", "diff", "du", "echo", "env", "file", "git", "go", "cargo", "ln", "make", "node", "npm",
		"pip", "pnpm", "pwd", "pytest", "python", "python3", "rmdir", "sort", "tar", "test", "uniq", "wc", "which", "xargs", "yarn":
		return typed(ExecTool, given{"command", quoteAll(append([]string{name}, words...))}), true
	}
	return "", false
}

// bare returns the words that are no flags.
func bare(words []string) []string {
	var plain []string
	for i, w := range words {
		if w == "--" {
			return append(plain, words[i+1:]...)
		}
		if !strings.HasPrefix(w, "-") {
			plain = append(plain, w)
		}
	}
	return plain
}

func first(words []string, otherwise string) string {
	if len(words) == 0 {
		return otherwise
	}
	return words[0]
}

func reading(paths []string) string {
	if len(paths) < 2 {
		return typed("read", given{"path", first(paths, "PATH")})
	}
	all := make([]given, len(paths))
	for i, p := range paths {
		all[i] = given{"paths", p}
	}
	return flagged("read", all...)
}

// each returns a call for every one of the words.
func each(tool, argument string, words []string) string {
	calls := []string{typed(tool, given{argument, first(words, strings.ToUpper(argument))})}
	for _, w := range words[min(1, len(words)):] {
		calls = append(calls, typed(tool, given{argument, w}))
	}
	return strings.Join(calls, " && ")
}

func fromTo(name string, words []string) string {
	if Builtin(name) == nil {
		return typed(ExecTool, given{"command", quoteAll(append([]string{"cp"}, words...))})
	}
	from, to := "FROM", "TO"
	if len(words) == 2 {
		from, to = words[0], words[1]
	}
	return typed(name, given{"from", from}, given{"to", to})
}

func searching(words []string) string {
	args := []given{{"pattern", first(words, "PATTERN")}}
	if len(words) == 2 {
		args = append(args, given{"path", words[1]})
	}
	return typed("grep", args...)
}

// partOf returns the call for head and tail, with the number of lines in any of its
// forms: -n 5, -n5, -5, --lines=5.
func partOf(name string, words []string) string {
	lines, path := "10", "PATH"
	for i := 0; i < len(words); i++ {
		w := words[i]
		number := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(w, "--lines="), "-n"), "-")
		switch {
		case (w == "-n" || w == "--lines") && i+1 < len(words):
			i++
			number = words[i]
		case !strings.HasPrefix(w, "-"):
			path = w
			continue
		}
		if n, err := strconv.ParseUint(number, 10, 31); err == nil {
			lines = strconv.FormatUint(n, 10)
		}
	}
	if name == "tail" {
		return typed("read", given{"path", path}, given{"offset", "-" + lines})
	}
	return typed("read", given{"path", path}, given{"limit", lines})
}

// substituted returns the call for sed: an edit for s/old/new/, a read for -n '5,9p'.
func substituted(words []string) string {
	script, path := "", "PATH"
	for _, w := range bare(words) {
		if script == "" {
			script = w
		} else {
			path = w
		}
	}
	if from, to, ok := strings.Cut(strings.TrimSuffix(script, "p"), ","); ok && strings.HasSuffix(script, "p") {
		a, errA := strconv.ParseUint(from, 10, 31)
		b, errB := strconv.ParseUint(to, 10, 31)
		if errA == nil && errB == nil && 0 < a && a <= b {
			return typed("read", given{"path", path}, given{"offset", from}, given{"limit", strconv.FormatUint(b-a+1, 10)})
		}
	}
	parts := []string{"", "OLD", "NEW", ""}
	if len(script) > 2 && script[0] == 's' && strings.Count(script, script[1:2]) == 3 && !strings.ContainsAny(script, `\*[]^$.&`) {
		parts = strings.Split(script, script[1:2])
	}
	edit := []given{{"path", path}, {"old_text", parts[1]}, {"new_text", parts[2]}}
	call := typed("edit", edit...)
	if parts[3] == "g" {
		call += " --replace-all"
	}
	return call
}

// running returns the call for a shell.
func running(name string, words []string) string {
	command := quoteAll(append([]string{name}, words...))
	switch {
	case len(words) == 0:
		command = "COMMAND"
	case len(words) == 2 && strings.HasPrefix(words[0], "-") && strings.HasSuffix(words[0], "c"):
		command = words[1]
	case name == "run" || name == "shell":
		command = strings.Join(words, " ")
	}
	return typed(ExecTool, given{"command", command})
}

// typed returns the call of a built-in tool as it is typed into a shell: arguments that
// need no name come without.
func typed(name string, args ...given) string {
	t := Builtin(name)
	call := "helve " + name
	for i, slot := range Positionals(t) {
		if i == len(args) || args[i].name != slot || strings.HasPrefix(args[i].value, "-") || strings.HasPrefix(args[i].value, "{") {
			return call + flags(args[i:])
		}
		call += " " + quoted(args[i].value)
		if i == len(args)-1 {
			return call
		}
	}
	return call + flags(args[min(len(args), len(Positionals(t))):])
}

// flagged is [typed] with a name for every argument.
func flagged(name string, args ...given) string { return "helve " + name + flags(args) }

func flags(args []given) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(" --" + flagName(a.name) + " " + quoted(a.value))
	}
	return b.String()
}

// Positionals returns the arguments that need no name, in their order.
func Positionals(t *tool.Tool) []string {
	if t.DefaultArg == "" {
		if t.Input != "" {
			return []string{t.Input}
		}
		return nil
	}
	return append([]string{t.DefaultArg}, t.Further...)
}

// quoted returns a word as the shell wants it.
func quoted(word string) string {
	text, err := syntax.Quote(word, syntax.LangBash)
	if err != nil {
		return "'…'" // bytes that no shell can be given
	}
	return text
}

func quoteAll(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = quoted(w)
	}
	return strings.Join(all, " ")
}
