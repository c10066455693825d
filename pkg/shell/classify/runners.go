package classify

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// runner judges build tools, package managers and programs that speak with
// other machines, and reports whether name is one.
func (a *analysis) runner(name string, args []word.Word, c context) bool {
	sub := subcommand(args)
	switch name {
	case "make", "gmake", "cmake", "ninja", "meson", "bazel", "buck", "just", "task", "scons", "rake", "gradle", "gradlew", "mvn",
		"ant", "sbt", "lein", "mix", "rebar3", "dotnet", "msbuild", "xcodebuild", "swiftc", "rustc", "gcc", "g++", "cc", "c++", "clang",
		"clang++", "ld", "as", "javac", "tsc", "eslint", "jest", "vitest", "mocha", "webpack", "vite", "rollup", "esbuild", "pytest",
		"tox", "nox", "mypy", "ruff", "black", "flake8", "pylint", "isort", "coverage", "unittest", "rspec", "phpunit", "golangci-lint",
		"staticcheck", "shellcheck", "hadolint", "protoc", "buf", "sqlc", "pre-commit":
		a.opaque(name)
		a.buildTool(name, args, c)
	case "go":
		a.goTool(sub, args)
	case "npm", "pnpm", "yarn", "npx", "pnpx", "bunx", "pip", "pip3", "pipx", "uv", "uvx", "poetry", "pdm", "conda", "mamba", "cargo", "rustup",
		"gem", "bundle", "bundler", "composer", "brew", "nix", "nix-shell", "nix-env", "corepack", "cabal", "stack", "opam", "luarocks", "conan", "vcpkg", "helm":
		a.packages(name, sub)
	case "curl", "wget", "http", "https", "xh", "aria2c", "axel", "lynx", "w3m", "links":
		a.transfer(name, args)
	case "dig", "nslookup", "host", "ping", "ping6", "traceroute", "tracepath", "mtr", "whois", "telnet", "ftp", "sftp", "scp", "rsync",
		"ssh", "mosh", "nc", "ncat", "netcat", "nmap", "openssl", "gh", "glab", "hub", "svn", "hg", "aws", "gcloud", "az", "fly", "flyctl", "vercel", "netlify",
		"heroku", "wrangler", "s3cmd", "rclone", "lftp", "kubectl", "terraform", "pulumi", "ansible", "ansible-playbook":
		a.remote(name, args)
	default:
		return false
	}
	return true
}

// subcommand is the first operand.
func subcommand(args []word.Word) string {
	for _, w := range args {
		if !strings.HasPrefix(w.Text, "-") && w.Known() {
			return w.Text
		}
	}
	return ""
}

func hasOption(args []word.Word, names ...string) bool {
	return slices.ContainsFunc(args, func(w word.Word) bool {
		bare, _, _ := strings.Cut(w.Text, "=")
		return slices.Contains(names, bare)
	})
}

// buildTool judges what may stand on the command line of a build tool apart
// from the names of its targets.
func (a *analysis) buildTool(name string, args []word.Word, c context) {
	for i, w := range args {
		if name == "make" || name == "gmake" {
			if strings.HasPrefix(w.Text, "--ev") || w.Text == "-E" || strings.HasPrefix(w.Text, "SHELL=") || strings.HasPrefix(w.Text, ".SHELLFLAGS=") {
				a.evaluates(name)
			}
			program := w.Text == "-" && i > 0 && (args[i-1].Text == "-f" || strings.HasPrefix(args[i-1].Text, "--fil") || strings.HasPrefix(args[i-1].Text, "--mak"))
			if program || w.Text == "-f-" || w.Text == "--file=-" || w.Text == "--makefile=-" || strings.Contains(w.Text, "/dev/stdin") || strings.Contains(w.Text, "/dev/fd") {
				a.raise(Destructive, Obfuscated, fault.T("%s runs whatever it is fed", "%s 会运行输入的任何内容", name))
			}
		}
		if i > 0 && (args[i-1].Text == "-C" || args[i-1].Text == "--directory" || args[i-1].Text == "-f") || w.Text == "-o" {
			a.writesIfOutside(w)
		}
		if i > 0 && args[i-1].Text == "-o" {
			a.writes(w)
		}
	}
	_ = c
}

// writesIfOutside is for a directory in which something will be written.
func (a *analysis) writesIfOutside(w word.Word) {
	for _, p := range a.resolve(w) {
		if !a.within(p) && !a.scratch(p) {
			a.raise(Destructive, Outside, fault.T("%s is outside the workspace", "%s 在工作区之外", w.Source))
		}
	}
}

func (a *analysis) goTool(sub string, args []word.Word) {
	switch {
	case hasOption(args, "-toolexec", "-vettool", "-exec", "--toolexec", "--vettool", "--exec", "-overlay", "--overlay"):
		a.evaluates("go " + sub)
	case sub == "version", sub == "help", sub == "doc", sub == "env" && !hasOption(args, "-w", "-u", "--w", "--u"):
		if !hasOption(args, "-C") {
			return
		}
	case sub == "env":
		a.raise(Destructive, Protected, fault.T("go env -w changes the settings of every later build", "go env -w 会改变之后所有构建的设置"))
	case sub == "install", sub == "get", sub == "mod", sub == "work":
		a.network()
	}
	for i, w := range args {
		if i > 0 && (args[i-1].Text == "-o" || args[i-1].Text == "--o") {
			a.writes(w)
		}
	}
	a.opaque("go " + sub)
}

// packages judges package managers: they run code of the packages.
func (a *analysis) packages(name, sub string) {
	a.opaque(name)
	switch sub {
	case "publish", "unpublish", "deprecate", "owner", "yank", "push", "login", "logout", "adduser", "token", "access", "dist-tag",
		"upload", "uninstall", "remove", "rm", "purge", "autoremove", "unlink", "config", "self", "trunk", "delete", "rollback":
		a.network()
		a.raise(Destructive, "", fault.T("%s %s cannot be taken back, or changes what others rely on", "%s %s 无法撤销，或会影响他人", name, sub))
	case "test", "run", "start", "build", "check", "fmt", "clippy", "doc", "bench", "ls", "list", "version", "lint":
	default:
		a.network()
	}
}

// transfer judges programs that fetch: what they get may be saved anywhere.
func (a *analysis) transfer(name string, args []word.Word) {
	a.network()
	a.raise(Write, Network, fault.T("%s reaches other machines", "%s 会访问其他机器", name))
	s := spec{
		name: name,
		ok: options{"fsSLIikgvNjJGO0123456#nqcx:H:A:e:u:b:d:X:m:r:w:y:Y:z:C:E:t:R", "location silent show-error fail head include insecure " +
			"header= user-agent= request= data= data-raw= data-urlencode= data-binary= json= max-time= connect-timeout= retry= compressed " +
			"get url= verbose progress-bar write-out= remote-name http1.1 http2 ipv4 ipv6 quiet no-verbose timeout= tries= method= " +
			"body-data= no-check-certificate content-disposition spider server-response referer= cookie= form= range= retry-delay= " +
			"retry-max-time= retry-all-errors max-redirs= fail-with-body no-progress-meter user= remote-header-name help version globoff"},
		out: options{"o:D:c:P:", "output= dump-header= cookie-jar= output-document= output-dir= directory-prefix= trace= trace-ascii= etag-save= stderr= output-file= create-dirs"},
		bad: options{"KTFQ:", "config= upload-file= use-askpass= quote= execute= post-file= body-file= netrc-file= engine= proxy= preproxy= unix-socket= aria2-rpc rpc-listen-all on-download-complete="},
	}
	if name == "wget" {
		s.out.short = "O:o:a:P:"
		s.ok.short = "qcNnvSdt:T:w:U:l:rkpHLnc46FxK"
		s.bad.short = "e:i:B:"
	}
	a.options(s, args)
}

// remote judges programs that speak with other machines, or change things there.
func (a *analysis) remote(name string, args []word.Word) {
	a.network()
	a.raise(Write, Network, fault.T("%s reaches other machines", "%s 会访问其他机器", name))
	switch name {
	case "dig", "nslookup", "host", "ping", "ping6", "traceroute", "tracepath", "mtr", "whois":
		if hasOption(args, "-f") {
			a.flag(Sensitive)
		}
	case "gh", "glab", "hub":
		a.opaque(name)
		verb := ""
		for _, w := range args {
			switch w.Text {
			case "list", "view", "status", "diff", "checks", "search":
				verb = w.Text
			}
		}
		if verb == "" {
			a.raise(Destructive, Network, fault.T("%s may change things that others see", "%s 可能会修改他人可见的内容", name))
		}
	case "openssl":
		for _, w := range args {
			if strings.HasPrefix(w.Text, "-engine") || strings.HasPrefix(w.Text, "-provider") || strings.HasPrefix(w.Text, "-config") {
				a.evaluates(name)
			}
		}
		for i, w := range args {
			if i > 0 && strings.HasPrefix(args[i-1].Text, "-") && strings.HasSuffix(args[i-1].Text, "out") {
				a.writes(w)
			}
		}
		a.opaque(name)
	default:
		a.raise(Destructive, Network, fault.T("%s acts on other machines", "%s 会在其他机器上执行操作", name))
	}
}
