package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// buildTools are the programs that build and test: they run code of the
// workspace.
func buildTools() []program {
	return []program{
		{
			names: "cmake ninja meson bazel buck just task scons rake gradle gradlew mvn ant sbt lein mix rebar3 dotnet msbuild " +
				"xcodebuild swiftc rustc gcc g++ cc c++ clang clang++ ld as javac tsc eslint jest vitest mocha webpack vite rollup esbuild " +
				"pytest tox nox mypy ruff black flake8 pylint isort coverage unittest rspec phpunit golangci-lint staticcheck shellcheck " +
				"hadolint protoc buf sqlc pre-commit",
			does: hidden, judge: (*analysis).build,
		},
		{names: "make gmake", does: hidden, judge: (*analysis).makeTool},
		{names: "go", judge: (*analysis).goTool},
	}
}

// packageManagers install programs, and run code of the packages.
func packageManagers() []program {
	return []program{
		{names: "npm", commands: managed(
			program{names: "ls list ll la", harmless: options{"agl", "all long json parseable global link omit= include= depth="}, operands: words},
			program{names: "help root prefix", operands: words},
		)},
		{names: "pip pip3", commands: managed(
			program{names: "list freeze", harmless: options{"lv", "local user not-required editable include-editable format= exclude= verbose"}, operands: words},
			program{names: "show", harmless: options{"fv", "files verbose"}, operands: words},
			program{names: "help", operands: words},
		)},
		{
			names: "pnpm yarn npx pnpx bunx pipx uv uvx poetry pdm conda mamba cargo rustup gem bundle bundler composer brew nix " +
				"nix-shell nix-env corepack cabal stack opam luarocks conan vcpkg helm",
			does:     hidden,
			commands: managed(program{names: "ls list", operands: words}),
		},
	}
}

// managed returns the subcommands of a package manager: its own, and those that
// all have.
func managed(own ...program) []program {
	return append(own,
		program{
			names: "publish unpublish deprecate owner yank push login logout adduser token access dist-tag upload uninstall remove " +
				"rm purge autoremove unlink config self trunk delete rollback",
			does: hidden | connects | irreversible, operands: words,
		},
		program{names: "test run start build check fmt clippy doc bench version lint", does: hidden, operands: words},
		program{does: hidden | connects, operands: words},
	)
}

// build judges where a build tool works and what it writes.
func (a *analysis) build(c call) {
	for i, w := range c.args {
		before := ""
		if i > 0 {
			before = c.args[i-1].Text
		}
		if before == "-C" || before == "--directory" || before == "-f" || w.Text == "-o" {
			a.writesBelow(w)
		}
		if before == "-o" {
			a.writes(w)
		}
	}
}

// writesBelow is for a directory in which something will be written.
func (a *analysis) writesBelow(w word.Word) {
	for _, p := range a.resolve(w) {
		if !a.within(p) && !a.scratch(p) {
			a.outside(w)
		}
	}
}

// makeTool judges what may be on the command line of make besides targets.
func (a *analysis) makeTool(c call) {
	for i, w := range c.args {
		if strings.HasPrefix(w.Text, "--ev") || w.Text == "-E" || strings.HasPrefix(w.Text, "SHELL=") || strings.HasPrefix(w.Text, ".SHELLFLAGS=") {
			a.evaluates(c.name)
		}
		fed := w.Text == "-f-" || w.Text == "--file=-" || w.Text == "--makefile=-" ||
			strings.Contains(w.Text, "/dev/stdin") || strings.Contains(w.Text, "/dev/fd")
		if w.Text == "-" && i > 0 {
			before := c.args[i-1].Text
			fed = before == "-f" || strings.HasPrefix(before, "--fil") || strings.HasPrefix(before, "--mak")
		}
		if fed {
			a.runsInput(c.name)
		}
	}
	a.build(c)
}

// goTool judges the go command.
func (a *analysis) goTool(c call) {
	sub := ""
	for _, w := range c.args {
		if !strings.HasPrefix(w.Text, "-") && w.Known() {
			sub = w.Text
			break
		}
	}
	name := c.name + " " + sub
	switch {
	case hasOption(c.args, "-toolexec", "-vettool", "-exec", "--toolexec", "--vettool", "--exec", "-overlay", "--overlay"):
		a.evaluates(name)
	case sub == "version", sub == "help", sub == "doc", sub == "env" && !hasOption(c.args, "-w", "-u", "--w", "--u"):
		if !hasOption(c.args, "-C") {
			return
		}
	case sub == "list" && goListReads(c.args):
		return
	case sub == "env":
		a.raise(Destructive, Protected, fault.T("go env -w changes the settings of every later build", "go env -w 会改变之后所有构建的设置"))
	case sub == "install", sub == "get", sub == "mod", sub == "work":
		a.network()
	}
	for i, w := range c.args {
		if i > 0 && (c.args[i-1].Text == "-o" || c.args[i-1].Text == "--o") {
			a.writes(w)
		}
	}
	a.opaque(name)
}

// goListReads reports whether the options of go list are among those that only
// choose and format what is listed.
func goListReads(args []word.Word) bool {
	for _, w := range args {
		name, _, _ := strings.Cut(w.Text, "=")
		switch {
		case !w.Known():
			return false
		case !strings.HasPrefix(w.Text, "-"):
		case !hasField("-f -json -m -deps -e -test -find -tags", name):
			return false
		}
	}
	return true
}
