package exec

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/tool"
)

// rule returns the rule that allows exactly this command in this directory from now on;
// nil where the words do not say all that it does: with expansions, redirections or
// input, for more commands than one, and for programs that run what a file, a server
// or an argument says.
func (r *request) rule(j *tool.Judgement) *policy.Rule {
	v := r.verdict
	switch {
	case len(v.Commands) != 1, v.Rest.Risk != "" && v.Rest.Risk != policy.Read, v.Rest.Network, v.HardDeny, j.OnlyRead:
		return nil
	case r.args.Stdin != "", len(r.args.Env) > 0, r.args.Background:
		return nil
	case v.Risk.Worse(v.Commands[0].Risk):
		return nil
	case strings.ContainsAny(r.args.Command, "$`<>|&;(){}*?[]~!#\\\r\n"):
		return nil
	}
	for _, f := range [...]classify.Flag{
		classify.Opaque, classify.Obfuscated, classify.Privilege, classify.PathAlias, classify.PathShadow, classify.DynamicArgs,
		classify.Confusable, classify.Syntax, classify.Environment, classify.Background, classify.TooComplex, classify.Unparsed,
	} {
		if v.Has(f) {
			return nil
		}
	}
	argv := v.Commands[0].Argv
	if first, _, _ := strings.Cut(strings.TrimSpace(r.args.Command), " "); strings.Contains(first, "=") {
		return nil // an assignment
	}
	if len(argv) == 0 || runsOthers(path.Base(strings.ReplaceAll(argv[0], `\`, "/"))) || strings.Contains(argv[0], "=") {
		return nil
	}
	rule := &policy.Rule{Exact: true, Cwd: r.dir, Decision: policy.Allow}
	for _, word := range argv {
		rule.Argv = append(rule.Argv, []string{word})
	}
	if len(rule.Check(nil)) > 0 {
		return nil
	}
	return rule
}

// runsOthers reports whether a program runs what its arguments or its input say, or
// what a file of the project does, so that a rule about its words would say little.
func runsOthers(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	switch strings.TrimRight(name, "0123456789.") {
	case "sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "csh", "tcsh", "pwsh", "powershell", "cmd", "busybox", "toybox",
		"python", "pypy", "node", "deno", "bun", "ruby", "perl", "php", "lua", "awk", "gawk", "mawk", "tclsh", "rscript", "java", "osascript",
		"env", "sudo", "su", "doas", "xargs", "find", "parallel", "eval", "exec", "source", ".", "command", "builtin", "nohup", "timeout", "nice", "time",
		"watch", "ssh", "chroot", "unshare", "nsenter", "setsid", "script", "expect", "gdb", "vim", "vi", "emacs",
		"make", "gmake", "cmake", "ninja", "just", "rake", "task", "npm", "npx", "yarn", "pnpm", "gradle", "mvn", "cargo", "go", "tox", "pytest":
		return true
	}
	return false
}
