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
		{
			names: "npm pnpm yarn npx pnpx bunx pip pip3 pipx uv uvx poetry pdm conda mamba cargo rustup gem bundle bundler composer brew nix " +
				"nix-shell nix-env corepack cabal stack opam luarocks conan vcpkg helm",
			does: hidden,
			commands: []program{
				{
					names: "publish unpublish deprecate owner yank push login logout adduser token access dist-tag upload uninstall remove " +
						"rm purge autoremove unlink config self trunk delete rollback",
					does: connects | irreversible, operands: words,
				},
				{names: "test run start build check fmt clippy doc bench ls list version lint", operands: words},
				{does: connects, operands: words},
			},
		},
	}
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
