package classify

import (
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// kind is what is known of the value of a variable.
type kind int

const (
	harmless   kind = iota // literal text, or a number
	unknown                // computed
	suspicious             // text that would run a command if it were evaluated
)

// assign notes the value of a variable, of which the worst counts.
func (a *analysis) assign(name string, k kind) { a.values[name] = max(a.values[name], k) }

// assignment judges name=value, alone or before a command.
func (w *walker) assignment(s *syntax.Assign) {
	a := w.a
	if s.Name == nil {
		return
	}
	a.setsVariable(s.Name.Value, a.reader().Word(s.Value))
	if s.Index != nil {
		a.arithmetic(s.Index)
	}
	a.assign(s.Name.Value, kindOf(s.Value))
	if s.Array != nil {
		for _, e := range s.Array.Elems {
			a.assign(s.Name.Value, kindOf(e.Value))
			a.arithmetic(e.Index)
		}
	}
}

// setsVariable judges that a variable gets a value, whatever sets it.
func (a *analysis) setsVariable(name string, value word.Word) {
	name, _, _ = strings.Cut(name, "[") // the first element of an array is the variable itself
	switch {
	case name == "PYTHONPATH" || name == "NODE_PATH":
		a.decides(Write, name)
		a.flag(Opaque)
	case strings.HasSuffix(name, "PAGER") && value.Known() && (value.Text == "cat" || value.Text == ""):
	case sensitiveVariable(name):
		a.decides(Destructive, name)
	}
}

func (a *analysis) decides(r policy.Risk, variable string) {
	a.raise(r, Environment, fault.T("%s decides what other programs run", "%s 会决定其他程序运行什么", variable))
}

// given judges the variables that the caller adds.
func (a *analysis) given() {
	for _, entry := range a.o.Env {
		name, value, _ := strings.Cut(entry, "=")
		a.setsVariable(name, word.Literal(value))
		a.assign(name, kindOfValue(value))
	}
}

// declare judges declare, export, local, readonly, typeset and nameref.
func (w *walker) declare(d *syntax.DeclClause) {
	a := w.a
	r := a.reader()
	argv := []word.Word{word.Literal(d.Variant.Value)}
	for _, s := range d.Args {
		if s.Name == nil { // an option, or a word that becomes something
			if s.Value != nil {
				argv = append(argv, r.Word(s.Value))
			}
			continue
		}
		w.assignment(s)
		argv = append(argv, word.Word{Text: s.Name.Value, Source: s.Name.Value, Lit: true})
	}
	defer a.show(argv)()
	a.declaration(argv[0].Text, argv[1:])
}

// declaration judges the arguments of declare and its like. When the name is
// quoted they are ordinary words.
func (a *analysis) declaration(name string, args []word.Word) {
	if name == "nameref" {
		a.evaluates(name)
	}
	for _, w := range args {
		if !w.Known() {
			if w.Prefix() == "" || w.Prefix()[0] == '-' || !strings.Contains(w.Prefix(), "=") {
				a.evaluates(name)
				continue
			}
		}
		opt := len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+')
		if opt && name != "export" && name != "readonly" && strings.ContainsAny(w.Text, "ni") {
			a.evaluates(name)
		}
		if variable, value, ok := strings.Cut(w.Text, "="); ok {
			a.setsVariable(strings.TrimSuffix(variable, "+"), word.Literal(value))
			a.assign(variable, kindOfValue(value))
		} else if !opt {
			a.setsVariable(w.Text, word.Word{})
		}
		a.variableName(name, w)
	}
}

// variableName judges an argument that a builtin takes as the name of a variable.
// The shell evaluates a subscript in it.
func (a *analysis) variableName(builtin string, w word.Word) {
	if !w.Known() {
		if !strings.Contains(w.Prefix(), "=") {
			a.evaluates(builtin)
		}
		return
	}
	if kindOfText(w.Text) == suspicious {
		a.evaluates(builtin)
	}
}

func kindOfAll(words []*syntax.Word) kind {
	k := harmless
	for _, w := range words {
		k = max(k, kindOf(w))
	}
	return k
}

// kindOf returns what the syntax of a word says of its value.
func kindOf(w *syntax.Word) kind {
	if w == nil {
		return harmless
	}
	k := harmless
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			k = max(k, kindOfValue(n.Value))
		case *syntax.SglQuoted:
			k = max(k, kindOfValue(n.Value))
			if n.Dollar {
				k = max(k, kindOfValue(word.DecodeANSIC(n.Value)))
			}
		case *syntax.ArithmExp:
			return false
		case *syntax.ParamExp:
			if !isNumber(n) {
				k = max(k, unknown)
			}
			return n.Exp != nil || n.Repl != nil
		case *syntax.CmdSubst, *syntax.ProcSubst:
			k = max(k, unknown)
			return false
		}
		return true
	})
	return k
}

// isNumber reports whether a parameter always expands to a number.
func isNumber(p *syntax.ParamExp) bool {
	if p.Length {
		return true
	}
	if p.Param == nil {
		return false
	}
	switch p.Param.Value {
	case "#", "?", "$", "!", "RANDOM", "SECONDS", "LINENO", "PPID", "UID", "EUID", "BASHPID":
		return word.Plain(p)
	}
	return false
}

// kindOfText finds what arithmetic evaluation of a text would run.
func kindOfText(s string) kind {
	if strings.Contains(s, "$(") || strings.Contains(s, "`") || strings.Contains(s, "${") || strings.Contains(s, "[$") {
		return suspicious
	}
	return harmless
}

// kindOfValue also finds the variables that the evaluation would set.
func kindOfValue(s string) kind {
	for name := range strings.FieldsFuncSeq(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if sensitiveVariable(name) && strings.ContainsAny(s, "=+-") {
			return suspicious
		}
	}
	return kindOfText(s)
}

// sensitiveVariable reports whether a variable decides which programs run, or
// what a program loads before it does its work.
func sensitiveVariable(name string) bool {
	switch name {
	case "PATH", "HOME", "IFS", "ENV", "BASH_ENV", "SHELL", "SHELLOPTS", "BASHOPTS", "PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND",
		"CDPATH", "FIGNORE", "GLOBIGNORE", "EXECIGNORE", "INPUTRC", "HISTFILE", "TERMINFO", "TERMCAP", "LESSOPEN",
		"LESSCLOSE", "LESS", "LESSKEY", "MANOPT", "BROWSER", "VISUAL", "PERL5LIB", "PERL5OPT", "PERL5DB", "PERLLIB",
		"PERLIO", "RUBYOPT", "RUBYLIB", "GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE", "LUA_INIT", "LUA_PATH", "LUA_CPATH",
		"CLASSPATH", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS",
		"GLIBC_TUNABLES", "GCONV_PATH", "LOCPATH", "NLSPATH", "HOSTALIASES", "RES_OPTIONS", "MAKEFLAGS",
		"MFLAGS", "MAKEFILES", "GNUMAKEFLAGS", "CC", "CXX", "LD", "AR", "AS", "RUSTC", "RUSTC_WRAPPER", "RUSTFLAGS",
		"GOFLAGS", "GOROOT", "GOTOOLCHAIN", "GOPATH", "RSYNC_RSH", "RSYNC_CONNECT_PROG", "CVS_RSH", "SVN_SSH", "TAR_OPTIONS", "GZIP", "XZ_OPT",
		"BZIP2", "ZIPOPT", "UNZIP", "GREP_OPTIONS", "RIPGREP_CONFIG_PATH", "FZF_DEFAULT_COMMAND", "FZF_DEFAULT_OPTS",
		"BAT_CONFIG_PATH", "SYSTEMD_PAGER", "TCLLIBPATH", "R_PROFILE", "R_HOME", "JULIA_LOAD_PATH", "PHPRC",
		"PHP_INI_SCAN_DIR", "AWKPATH", "AWKLIBPATH", "SSH_ASKPASS", "SUDO_ASKPASS", "OPENSSL_CONF", "OPENSSL_ENGINES",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_HOME", "WGETRC", "NETRC", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "ZDOTDIR", "COMSPEC",
		"PATHEXT":
		return true
	case "NODE_ENV", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONIOENCODING", "PYTHONUTF8",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
		"GIT_COMMITTER_DATE", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "CARGO_TERM_COLOR", "CARGO_INCREMENTAL",
		"PIP_NO_INPUT", "PIP_DISABLE_PIP_VERSION_CHECK", "CGO_ENABLED":
		return false
	}
	for _, prefix := range [...]string{
		"LD_", "DYLD_", "GIT_", "NODE_", "PYTHON", "BASH_FUNC_", "NPM_CONFIG_", "npm_config_", "CARGO_", "HELVE", "PIP_",
		"DOCKER_", "ELECTRON_", "CGO_",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.HasSuffix(name, "PAGER") || strings.HasSuffix(name, "EDITOR") ||
		strings.HasSuffix(strings.ToLower(name), "_proxy")
}
