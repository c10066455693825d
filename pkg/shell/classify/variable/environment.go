package variable

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Decides returns the findings of giving a variable a value, whatever gives it.
func Decides(name string, value word.Word) []finding.Finding {
	name, _, _ = strings.Cut(name, "[") // the first element of an array is the variable itself
	switch {
	case !sensitive(name), value.Known() && harmlessValue(name, value.Text):
		return nil
	case name == "PYTHONPATH" || name == "NODE_PATH" || name == "PATH" && extendsPath(value) || value.Known() && tunes(name, value.Text):
		return []finding.Finding{decides(policy.Write, name), finding.Mark(finding.Opaque)}
	}
	return []finding.Finding{decides(policy.Destructive, name)}
}

// DecidesOnWindows is Decides for Windows, where the names of variables have no case.
func DecidesOnWindows(name string, value word.Word) (f []finding.Finding) {
	if word.Listed("COMSPEC PATHEXT PSMODULEPATH NODEFAULTCURRENTDIRECTORYINEXEPATH", strings.ToUpper(name)) {
		f = append(f, decides(policy.Destructive, name))
	}
	for _, spelling := range [...]string{name, strings.ToUpper(name), strings.ToLower(name)} {
		f = append(f, Decides(spelling, value)...)
	}
	return f
}

func decides(r policy.Risk, name string) finding.Finding {
	return finding.Of(r, finding.Environment, fault.T("%s decides what other programs run", name))
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

// harmlessValue reports whether a value of a variable in sensitive runs nothing.
func harmlessValue(name, value string) bool {
	switch {
	case strings.HasSuffix(name, "PAGER"):
		return value == "cat" || value == ""
	case strings.HasSuffix(name, "EDITOR"):
		return value == "true" || value == "false" || value == ":"
	}
	switch name {
	case "GOTOOLCHAIN":
		return value == "local"
	case "GOPROXY":
		return value == "off" || value == "direct"
	case "GOWORK", "GOENV":
		return value == "off"
	case "GIT_TRACE", "GIT_TRACE_SETUP", "GIT_TRACE_PERFORMANCE", "GIT_CURL_VERBOSE":
		return value == "0" || value == "1"
	}
	return false
}

// tunes reports whether a value only tunes a program that runs the code of a project
// anyway: a compiler by its name, or options that load nothing.
func tunes(name, value string) bool {
	allowed := ""
	switch name {
	case "CC", "CXX", "LD", "AR", "AS":
		base := strings.TrimRight(value, "0123456789.-")
		return word.Listed("cc c++ gcc g++ clang clang++ tcc zig ld lld gold mold ar llvm-ar as", base)
	case "JAVA_HOME", "M2_HOME", "GOROOT":
		return (strings.HasPrefix(value, "/usr/") || strings.HasPrefix(value, "/opt/")) && !strings.Contains(value, "..")
	case "GOFLAGS":
		allowed = "-mod= -tags= -count= -race -v -x -buildvcs= -trimpath -p= -short -timeout= -run= -cover"
	case "RUSTFLAGS", "RUSTDOCFLAGS":
		allowed = "-C -D -A -W -F -Dwarnings -Awarnings warnings -Ctarget-cpu= target-cpu= opt-level= debuginfo= --cfg --cap-lints"
	case "NODE_OPTIONS":
		allowed = "--max-old-space-size= --no-warnings --enable-source-maps --trace-warnings --trace-deprecation --no-deprecation " +
			"--experimental-vm-modules --openssl-legacy-provider --unhandled-rejections= --stack-trace-limit="
	case "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "MAVEN_OPTS", "GRADLE_OPTS", "SBT_OPTS":
		allowed = "-Xmx= -Xms= -Xss= -XX:Max= -XX:+Use= -Dfile.encoding= -Duser.= -Djava.awt.headless= -Dorg.gradle.daemon= -Dorg.gradle.jvmargs=-Xmx="
	case "MAKEFLAGS", "GNUMAKEFLAGS":
		allowed = "-j= -k -s --silent --no-print-directory"
	case "CARGO_TARGET_DIR", "CARGO_NET_OFFLINE", "CARGO_BUILD_JOBS", "CARGO_TERM_VERBOSE", "RUSTUP_TOOLCHAIN":
		return true
	}
	for option := range strings.FieldsSeq(value) {
		if allowed == "" || !begun(allowed, option) {
			return false
		}
	}
	return allowed != ""
}

// begun reports whether s is one of the words of list, or begins with one that ends
// in "=", which need not be in s.
func begun(list, s string) bool {
	for field := range strings.FieldsSeq(list) {
		start, open := strings.CutSuffix(field, "=")
		if s == field || open && strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}

// sensitive reports whether a variable decides which programs run, or
// what a program loads before it does its work.
func sensitive(name string) bool {
	switch name {
	// shells
	case "PATH", "HOME", "IFS", "ENV", "BASH_ENV", "SHELL", "SHELLOPTS", "BASHOPTS", "PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND", "BASH_ALIASES", "BASH_CMDS",
		"BASH_LOADABLES_PATH", "TEXTDOMAIN", "TEXTDOMAINDIR", "CDPATH", "FIGNORE", "GLOBIGNORE", "EXECIGNORE", "INPUTRC", "HISTFILE", "HISTFILESIZE", "FCEDIT",
		"FPATH", "MODULE_PATH", "NULLCMD", "READNULLCMD", "ZDOTDIR", "COMSPEC", "PATHEXT", "POSIXLY_CORRECT",
		// the C library and what is linked everywhere
		"TERMINFO", "TERMINFO_DIRS", "TERMCAP", "GLIBC_TUNABLES", "GCONV_PATH", "LOCPATH", "NLSPATH", "HOSTALIASES", "RES_OPTIONS", "MALLOC_TRACE", "OPENSSL_CONF",
		"OPENSSL_ENGINES", "OPENSSL_MODULES", "SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE", "KRB5_CONFIG", "GTK_MODULES", "GTK_PATH", "QT_PLUGIN_PATH",
		"GIO_EXTRA_MODULES", "GIO_MODULE_DIR",
		// pagers, editors, manuals
		"MANOPT", "MANLESS", "MANPATH", "EXINIT", "VIMINIT", "GVIMINIT", "VIMRUNTIME", "VIM", "EMACSLOADPATH", "MORE", "MOST_SWITCHES", "INFOPATH",
		// languages
		"CLASSPATH", "_JAVA_OPTIONS", "M2_HOME", "TCLLIBPATH", "TCL_LIBRARY", "R_HOME", "R_LIBS", "R_LIBS_USER", "R_ENVIRON", "R_ENVIRON_USER", "PHPRC",
		"AWKPATH", "AWKLIBPATH", "GHC_ENVIRONMENT", "ELIXIR_ERL_OPTIONS",
		// builds
		"MAKEFLAGS", "MFLAGS", "MAKEFILES", "GNUMAKEFLAGS", "CC", "CXX", "LD", "AR", "AS", "COMPILER_PATH", "GCC_EXEC_PREFIX", "GOFLAGS", "GOROOT", "GOTOOLCHAIN",
		"GOPATH", "GOMODCACHE", "GOENV", "GOWORK", "GOPROXY", "GOAUTH", "GOVCS", "GOCACHEPROG", "GOBIN", "TEXINPUTS", "BIBINPUTS", "BSTINPUTS", "MPINPUTS", "TEXFORMATS",
		// archives, searching, the network
		"TAPE", "TAR_OPTIONS", "GZIP", "XZ_OPT", "XZ_DEFAULTS", "BZIP2", "ZIPOPT", "UNZIP", "UNZIPOPT", "ZIPINFO", "ZIPINFOOPT", "GREP_OPTIONS",
		"RIPGREP_CONFIG_PATH", "CVS_RSH", "SVN_SSH", "CURL_HOME", "WGETRC", "SYSTEM_WGETRC", "NETRC", "KUBECONFIG", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE",
		"GNUPGHOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS":
		return true
	case "NODE_ENV", "NODE_NO_WARNINGS", "NODE_DEBUG", "NODE_DISABLE_COLORS", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONIOENCODING",
		"PYTHONUTF8", "PYTHONWARNINGS", "PYTHONFAULTHANDLER", "PYTHONDEVMODE", "PYTHONASYNCIODEBUG", "PYTHONOPTIMIZE",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
		"GIT_COMMITTER_DATE", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "CARGO_TERM_COLOR", "CARGO_INCREMENTAL",
		"PIP_NO_INPUT", "PIP_DISABLE_PIP_VERSION_CHECK", "CGO_ENABLED", "LESSCHARSET", "BAT_THEME", "BAT_STYLE", "SYSTEMD_COLORS":
		return false
	}
	for _, prefix := range [...]string{
		"LD_", "DYLD_", "BASH_FUNC_", "GROFF_", "LESS", "MANROFF", "BAT_", "SYSTEMD_", "FZF_", "TEXM", "GIT_", "HELVE", "RSYNC_", "DOCKER_", "ELECTRON_",
		"NODE_", "NPM_CONFIG_", "npm_config_", "YARN_", "COREPACK_", "DENO_", "BUN_", "PYTHON", "PIP_", "CARGO_", "RUSTC", "RUSTDOC", "RUSTFLAGS", "RUSTUP_", "CGO_",
		"JAVA_", "JDK_", "MAVEN_", "MVN", "ANT_", "SBT_", "GRADLE_", "PERL", "RUBY", "GEM_", "BUNDLE_", "LUA_", "PHP_", "JULIA_", "R_PROFILE", "ERL_",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	for _, suffix := range [...]string{"PAGER", "EDITOR", "VISUAL", "BROWSER", "ASKPASS"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return strings.HasSuffix(strings.ToLower(name), "_proxy")
}
