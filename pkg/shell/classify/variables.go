package classify

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

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
	a.assign(s.Name.Value, valueOf(s.Value))
	if s.Array != nil || s.Index != nil {
		a.arrays[s.Name.Value] = true
	}
	if s.Array != nil {
		for _, e := range s.Array.Elems {
			a.assign(s.Name.Value, valueOf(e.Value))
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
		a.assign(name, valueOfText(value))
	}
}

// declare judges declare, export, local, readonly, typeset and nameref.
func (w *walker) declare(d *syntax.DeclClause) {
	a := w.a
	r := a.reader()
	shown := []word.Word{word.Literal(d.Variant.Value)}
	var args []word.Word
	for _, s := range d.Args {
		if s.Name == nil { // an option, or a word that becomes something
			if s.Value != nil {
				shown = append(shown, r.Word(s.Value))
				args = append(args, r.Word(s.Value))
			}
			continue
		}
		w.assignment(s)
		name := word.Word{Text: s.Name.Value, Source: s.Name.Value, Lit: true}
		shown = append(shown, name)
		if s.Value != nil {
			v := r.Word(s.Value)
			name.Text += "=" + v.Text
			name.Lit = v.Lit
		}
		args = append(args, name)
	}
	defer a.show(shown)()
	a.declaration(d.Variant.Value, args)
}

// declaration judges the arguments of declare and its like. When the name is
// quoted they are ordinary words.
func (a *analysis) declaration(name string, args []word.Word) {
	if name == "nameref" {
		a.evaluates(name)
	}
	var letters strings.Builder
	for _, w := range args {
		if len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') {
			letters.WriteString(w.Text[1:])
		}
	}
	flags := letters.String()
	if name != "export" && name != "readonly" && strings.Contains(flags, "n") {
		a.evaluates(name)
	}
	for _, w := range args {
		if !w.Known() && (w.Prefix() == "" || w.Prefix()[0] == '-' || !strings.Contains(w.Prefix(), "=")) {
			a.evaluates(name)
			continue
		}
		if len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') {
			continue
		}
		if _, value, ok := strings.Cut(w.Text, "="); ok {
			a.declares(name, flags, w, word.Word{Text: value, Lit: w.Lit, Glob: w.Glob})
		} else {
			a.setsVariable(w.Text, word.Word{})
		}
		declared, _, _ := strings.Cut(w.Text, "=")
		if strings.Contains(flags, "i") {
			a.evaluate(declared)
		}
		if strings.ContainsAny(flags, "aA") {
			a.arrays[variable(declared)] = true
		}
		a.variableName(name, w)
	}
}

// declares judges the value that declare gives a variable. An array takes a text
// in parentheses for the list of its elements, and expands them.
func (a *analysis) declares(by, flags string, w, given word.Word) {
	name, _, _ := strings.Cut(w.Text, "=")
	a.setsVariable(strings.TrimSuffix(name, "+"), given)
	if strings.HasPrefix(given.Text, "(") {
		a.evaluateText(by, given.Text)
		if !given.Known() {
			a.evaluates(by)
		}
	}
	switch {
	case given.Lit || given.Prefix() != "":
	case strings.ContainsAny(flags, "aA"):
		a.evaluatesComputed(by)
	default:
		a.compounds[variable(name)] = true
	}
}

// variableName judges an argument that a builtin takes as the name of a variable.
// The shell evaluates a subscript in it.
func (a *analysis) variableName(builtin string, w word.Word) {
	_, subscript, ok := strings.Cut(w.Prefix(), "[")
	switch {
	case ok && !w.Known(), !w.Known() && !strings.Contains(w.Prefix(), "="):
		a.evaluates(builtin)
	case ok:
		a.arrays[variable(w.Text)] = true
		a.evaluateText(builtin, subscript)
	}
}

// sensitiveVariable reports whether a variable decides which programs run, or
// what a program loads before it does its work.
func sensitiveVariable(name string) bool {
	switch name {
	case "PATH", "HOME", "IFS", "ENV", "BASH_ENV", "SHELL", "SHELLOPTS", "BASHOPTS", "PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND",
		"BASH_ALIASES", "BASH_CMDS", "BASH_LOADABLES_PATH", "TEXTDOMAIN", "TEXTDOMAINDIR", "CDPATH", "FIGNORE", "GLOBIGNORE", "EXECIGNORE", "INPUTRC", "HISTFILE", "TERMINFO", "TERMINFO_DIRS", "TERMCAP", "LESSOPEN",
		"LESSCLOSE", "LESS", "LESSKEY", "LESSKEYIN",
		"LESSKEY_CONTENT", "LESSHISTFILE", "MANOPT", "MANROFFOPT", "MANROFFSEQ", "MANPATH", "EXINIT", "VIMINIT", "GVIMINIT", "VIMRUNTIME", "BROWSER", "VISUAL", "PERL5LIB", "PERL5OPT", "PERL5DB", "PERLLIB",
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
		"LD_", "DYLD_", "GROFF_", "GIT_", "NODE_", "PYTHON", "BASH_FUNC_", "NPM_CONFIG_", "npm_config_", "CARGO_", "HELVE", "PIP_",
		"DOCKER_", "ELECTRON_", "CGO_",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.HasSuffix(name, "PAGER") || strings.HasSuffix(name, "EDITOR") ||
		strings.HasSuffix(strings.ToLower(name), "_proxy")
}
