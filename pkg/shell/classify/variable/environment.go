package variable

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// free lists the variables that leave a program that reads one that reads, with what they
// decide instead. The list is closed: nobody can list the variables that make some program
// load or run something. A "*" in names stands for any text. Values, if there are any, are
// the only ones; each variable may also be empty, and none may name a file by its path.
var free = [...]struct{ names, values, decide string }{
	{"LANG LANGUAGE LC_*", "", "the language and the order of letters; the C library takes no path here"},
	{"TZ SOURCE_DATE_EPOCH", "", "the time that is shown"},
	{"TERM COLORTERM COLUMNS LINES NO_COLOR CLICOLOR CLICOLOR_FORCE FORCE_COLOR LS_COLORS GREP_COLOR GREP_COLORS JQ_COLORS GCC_COLORS " +
		"NODE_DISABLE_COLORS CARGO_TERM_COLOR SYSTEMD_COLORS BAT_THEME BAT_STYLE", "", "width and colours"},
	{"LESSCHARSET BLOCK_SIZE BLOCKSIZE QUOTING_STYLE TIME_STYLE", "", "how names and numbers are written"},
	{"CI DEBIAN_FRONTEND GIT_TERMINAL_PROMPT PIP_NO_INPUT PIP_DISABLE_PIP_VERSION_CHECK NODE_NO_WARNINGS", "", "whether anything is asked or remarked"},
	{"NODE_ENV", "", "a name that the code of a project compares; a program that reads runs none"},
	{"RUST_BACKTRACE RUST_LOG RUST_MIN_STACK GOTRACEBACK NODE_DEBUG", "", "how much is logged, to standard error"},
	{"GIT_TRACE GIT_TRACE_SETUP GIT_TRACE_PERFORMANCE GIT_CURL_VERBOSE", "0 1", "the same; any other value may be a file"},
	{"GOOS GOARCH GOARM GOARM64 GOAMD64 GO386 GOMIPS GORISCV64 CGO_ENABLED GO111MODULE GOMAXPROCS GOGC GOMEMLIMIT", "", "the target, and the limits of Go's runtime"},
	{"GOTOOLCHAIN", "local", "which Go runs: the one that is named"},
	{"GOPROXY", "off direct", "where modules come from: nothing is fetched without a network"},
	{"GOWORK GOENV", "off", "that a file is not read"},
	{"PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8 PYTHONOPTIMIZE PYTHONFAULTHANDLER", "", "how Python writes; it loads nothing more"},
	{"GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE GIT_OPTIONAL_LOCKS CARGO_INCREMENTAL", "",
		"what the next commit or build records"},
	{"*PAGER", "cat", "that nothing is paged"},
	{"*EDITOR VISUAL", "true false :", "that nothing is edited"},
}

// Decides returns the findings of giving a variable of the shell a value, whatever gives
// it. Programs get those that are in the environment already.
func (s *State) Decides(name string, value word.Word) []finding.Finding {
	name, _, _ = strings.Cut(name, "[") // the first element of an array is the variable itself
	if !namesPrograms(name) && !word.Listed(ofShells, name) && (s.Exported == nil || !s.Exported(name)) {
		return nil
	}
	return Exports(name, value)
}

// ofShells are the variables that a shell itself obeys, or finds in every environment.
const ofShells = "HOME TMPDIR TEXTDOMAIN TEXTDOMAINDIR INPUTRC HISTFILE HISTFILESIZE POSIXLY_CORRECT BASH_COMPAT BASH_XTRACEFD"

// Exports returns the findings of giving programs a variable.
func Exports(name string, value word.Word) []finding.Finding {
	switch {
	case isFree(name, value):
		return nil
	case namesPrograms(name) && (name != "PATH" || !extendsPath(value)):
		return []finding.Finding{finding.Of(policy.Destructive, finding.Environment, fault.T("%s decides what other programs run", name))}
	}
	return []finding.Finding{finding.Of(policy.Write, finding.Environment, fault.T("%s may decide what other programs run", name)), finding.Mark(finding.Opaque)}
}

// ExportsOnWindows is Exports for Windows, where the names of variables have no case.
func ExportsOnWindows(name string, value word.Word) []finding.Finding {
	name = strings.ToUpper(name)
	if word.Listed("COMSPEC PATHEXT PSMODULEPATH NODEFAULTCURRENTDIRECTORYINEXEPATH", name) {
		return []finding.Finding{finding.Of(policy.Destructive, finding.Environment, fault.T("%s decides what other programs run", name))}
	}
	return Exports(name, value)
}

// namesPrograms reports whether a variable by its meaning names what a shell, the loader
// or git runs besides the command, or what pages and edits.
func namesPrograms(name string) bool {
	if word.Listed("PATH IFS ENV BASH_ENV SHELL SHELLOPTS BASHOPTS PS0 PS1 PS2 PS4 PROMPT_COMMAND BASH_ALIASES BASH_CMDS BASH_LOADABLES_PATH CDPATH FIGNORE "+
		"GLOBIGNORE EXECIGNORE FCEDIT FPATH MODULE_PATH NULLCMD READNULLCMD ZDOTDIR GLIBC_TUNABLES GCONV_PATH PYTHONSTARTUP PERL5OPT PERL5DB RUBYOPT", name) {
		return true
	}
	for _, start := range [...]string{"LD_", "DYLD_", "BASH_FUNC_", "GIT_", "LESS", "MAN", "GROFF_", "HELVE"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	for _, end := range [...]string{"PAGER", "EDITOR", "VISUAL", "BROWSER", "ASKPASS"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// extendsPath reports whether a value of PATH is the one before with directories
// that are written out. A program that only reads may then be one of theirs.
func extendsPath(value word.Word) bool {
	before, after, ok := strings.Cut(value.Text, string(word.Hole))
	for dir := range strings.SplitSeq(strings.Trim(before+after, ":"), ":") {
		if !strings.HasPrefix(dir, "/") && !strings.Contains(dir, "/bin") && !strings.HasSuffix(dir, "/.bin") { // "." is every directory
			return false
		}
	}
	if !ok || strings.IndexByte(after, word.Hole) >= 0 || !strings.HasSuffix(":"+before, ":") || !strings.HasPrefix(after+":", ":") {
		return false
	}
	return strings.Contains(strings.ReplaceAll(value.Source, "${PATH}", "$PATH"), "$PATH")
}

// isFree reports whether a variable with a value is in the list.
func isFree(name string, value word.Word) bool {
	text := value.Text
	if !value.Known() || strings.HasPrefix(text, "/") || strings.Contains(text, ":/") || strings.Contains(text, "..") {
		return false
	}
	for _, row := range free {
		for pattern := range strings.FieldsSeq(row.names) {
			start, end, open := strings.Cut(pattern, "*")
			if name == pattern || open && strings.HasPrefix(name, start) && strings.HasSuffix(name, end) {
				return text == "" || row.values == "" || word.Listed(row.values, text)
			}
		}
	}
	return false
}
