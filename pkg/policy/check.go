package policy

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Check returns what is wrong with a rule, with JSON pointers into it. switches are
// the names that requires may have.
func (r *Rule) Check(switches []string) schema.Problems {
	var problems schema.Problems
	report := func(pointer string, what fault.Text) {
		problems = append(problems, schema.Problem{Pointer: pointer, Message: what})
	}
	if r.Tool == "" && r.Risk == "" && r.Network == nil && r.Project == "" && r.Host == "" && r.Path == "" && len(r.Argv) == 0 {
		report("", fault.T(`the rule selects nothing: set tool, risk, network, host, project, path or argv ("tool":"*" is every tool)`))
	}
	byUse := r.Read != "" || r.Write != "" || r.Edit != "" || r.Delete != ""
	switch {
	case byUse && r.Path == "":
		report("", fault.T("read, write, edit and delete are verdicts about a path: set path"))
	case !byUse && r.Decision == "":
		report("", fault.T("the rule has no verdict: set decision, or for a path read, write, edit or delete"))
	}
	for _, v := range []struct {
		name string
		is   Verdict
	}{{"decision", r.Decision}, {"read", r.Read}, {"write", r.Write}, {"edit", r.Edit}, {"delete", r.Delete}} {
		if v.is.strictness() == 3 && v.is != Deny {
			report("/"+v.name, fault.T("want allow, ask or deny"))
		}
	}
	if r.Risk.level() == 2 && r.Risk != Destructive && r.Risk != "" {
		report("/risk", fault.T("want read, write or destructive"))
	}
	if _, err := path.Match(r.Tool, ""); err != nil {
		report("/tool", fault.T("%q is not a pattern", r.Tool))
	}
	if bad := checkHost(r.Host); !bad.IsZero() {
		report("/host", bad)
	}
	if r.Host != "" && (r.Path != "" || len(r.Argv) > 0) {
		report("/host", fault.T("a rule is about a host, a path or a command, not several of them"))
	}
	if r.Path != "" {
		if _, bad := parseGlob(r.Path); !bad.IsZero() {
			report("/path", bad)
		}
		if len(r.Argv) > 0 {
			report("/argv", fault.T("a rule is about a path or about a command, not both"))
		}
	}
	r.checkArgv(report)
	if r.Cwd != "" && (len(r.Argv) == 0 || !filepath.IsAbs(r.Cwd) || filepath.Clean(r.Cwd) != r.Cwd) {
		report("/cwd", fault.T("want a clean absolute directory, beside argv"))
	}
	if r.Exact && len(r.Argv) == 0 {
		report("/exact", fault.T("want argv beside it"))
	}
	for i, name := range r.Requires {
		if !slices.Contains(switches, name) {
			report("/requires/"+strconv.Itoa(i), fault.T("there is no switch %q; the switches are: %s", name, strings.Join(switches, ", ")))
		}
	}
	return problems
}

// checkArgv checks argv, match and not_match.
func (r *Rule) checkArgv(report func(string, fault.Text)) {
	for i, words := range r.Argv {
		at := "/argv/" + strconv.Itoa(i)
		if len(words) == 0 {
			report(at, fault.T("want at least one alternative"))
		}
		if i == 0 && slices.Contains(words, "") {
			report(at, fault.T("the name of a program must not be empty"))
		}
	}
	if len(r.Argv) == 0 && len(r.Match)+len(r.NotMatch) > 0 {
		report("", fault.T("match and not_match are examples for argv, which is missing"))
		return
	}
	for i, argv := range r.Match {
		if !r.matchArgv(argv, false) {
			report("/match/"+strconv.Itoa(i), fault.T("argv does not match this command, and should"))
		}
	}
	for i, argv := range r.NotMatch {
		// A rule that asks or denies also matches other spellings of a program.
		if r.matchArgv(argv, r.Decision != Allow) {
			report("/not_match/"+strconv.Itoa(i), fault.T("argv matches this command, and should not"))
		}
	}
}

// matchArgv reports whether a command starts with the rule's words. For a rule that
// narrows, /usr/bin/git, GIT and git.exe are git too.
func (r *Rule) matchArgv(argv []string, narrows bool) bool {
	if len(argv) < len(r.Argv) || r.Exact && len(argv) > len(r.Argv) {
		return false
	}
	for i, words := range r.Argv {
		if slices.Contains(words, argv[i]) {
			continue
		}
		if i > 0 || !narrows || !slices.ContainsFunc(words, func(w string) bool { return program(w) == program(argv[0]) }) {
			return false
		}
	}
	return true
}

// program returns the name of a program, without its directory and folded.
func program(word string) string {
	word = strings.ReplaceAll(word, `\`, "/")
	return strings.TrimSuffix(fold(word[strings.LastIndexByte(word, '/')+1:]), ".exe")
}
