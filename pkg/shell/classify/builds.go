package classify

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// buildTools are the programs that build and test: they run code of the
// workspace.
func buildTools() []program {
	return []program{
		{
			names: "cmake ninja meson just task scons ant dotnet msbuild xcodebuild swiftc gcc g++ cc c++ clang clang++ ld as javac tsc esbuild " +
				"mypy ruff black flake8 isort coverage golangci-lint staticcheck shellcheck hadolint protoc buf sqlc ctest",
			does: hidden, judge: (*analysis).build, alone: "-v -version -V",
		},
		{
			names: "bazel buck gradlew sbt lein mix rebar3 rake eslint jest vitest mocha webpack vite rollup pytest tox nox pylint unittest rspec " +
				"phpunit pre-commit",
			does: hidden, judge: (*analysis).build, alone: "-v -V", obeys: "*",
		},
		{names: "gradle", does: hidden, judge: (*analysis).build, alone: "-v -version", obeys: "gradle.properties"},
		{names: "mvn", does: hidden, judge: (*analysis).build, alone: "-v -version", obeys: ".mvn"},
		{names: "rustc rustfmt rustdoc", does: hidden, judge: (*analysis).build, alone: "-V -vV", obeys: rustToolchain},
		{names: "make gmake", does: hidden, judge: (*analysis).makeTool, alone: "-v"},
		{names: "go", judge: (*analysis).goTool},
	}
}

// rustToolchain are the files by which rustup chooses the programs that it runs.
const rustToolchain = "rust-toolchain rust-toolchain.toml"

// packageManagers install programs, and run code of the packages.
func packageManagers() []program {
	return []program{
		{names: "npm", alone: "-v", commands: managed(
			program{names: "ls list ll la", harmless: options{"agl", "all long json parseable global link omit= include= depth="}, operands: words},
			program{names: "explain why query", harmless: options{long: "json"}, operands: words},
			program{names: "help root prefix bin", operands: words},
			program{names: "init create", does: hidden, judge: (*analysis).npmInit},
			program{names: "exec x", judge: (*analysis).localProgram},
		)},
		{names: "npx", judge: (*analysis).localProgram},
		{names: "pip pip3", commands: managed(
			program{names: "list freeze", harmless: options{"lv", "local user not-required editable include-editable format= exclude= verbose"}, operands: words},
			program{names: "show", harmless: options{"fv", "files verbose"}, operands: words},
			program{names: "inspect help debug", harmless: options{"v", "verbose local user"}, operands: words},
		)},
		{names: "cargo", alone: "-V -vV --list", obeys: rustToolchain, commands: managed(
			program{names: "metadata tree locate-project pkgid read-manifest verify-project", judge: (*analysis).cargoPrints},
			program{names: "b c r d doc clean fix nextest expand rustc rustdoc miri package generate-lockfile help init new report", does: hidden, operands: words},
		)},
		{
			names: "pnpm yarn pnpx bunx pipx uv uvx poetry pdm pipenv conda mamba rustup gem bundle bundler composer brew nix " +
				"nix-shell nix-env corepack cabal stack opam luarocks conan vcpkg helm",
			does: hidden, obeys: "*", alone: "-v -V",
			commands: managed(
				program{names: "ls list show why info env exec", operands: words},
				program{names: "pip", commands: []program{{names: "list show freeze check tree", operands: words}, {does: connects, operands: words}}},
			),
		},
	}
}

// cargoPrints judges the subcommands of cargo that print what a project is. They ask
// the compiler, which the settings of a project may name.
func (a *analysis) cargoPrints(c call) {
	strange := slices.ContainsFunc(c.args, func(w word.Word) bool {
		return !w.Known() || strings.HasPrefix(w.Text, "--c") || strings.HasPrefix(w.Text, "-Z") || strings.HasPrefix(w.Text, "-C")
	})
	if strange || !hasOption(c.args, "--offline", "--frozen") || a.configured(rustToolchain+" .cargo") {
		a.opaque(c.name)
	}
}

// npmInit judges npm init, which fetches what it is named and asks for nothing with -y.
func (a *analysis) npmInit(c call) {
	for _, w := range c.args {
		if !w.Known() || !strings.HasPrefix(w.Text, "-") {
			a.network()
		}
	}
}

// localProgram judges npx, which starts a program of node_modules and fetches one
// that is not there.
func (a *analysis) localProgram(c call) {
	a.opaque(c.name)
	if hasOption(c.args, "--no-install", "--no", "--offline") {
		return
	}
	for _, w := range c.args {
		switch {
		case w.Known() && (w.Text == "-y" || w.Text == "--yes" || w.Text == "--"):
		case w.Known() && !strings.HasPrefix(w.Text, "-") && !strings.ContainsAny(w.Text, "@:/") && a.o.Exists != nil && !a.lost && a.finds("node_modules/.bin/"+w.Text):
			return
		default:
			a.network()
			return
		}
	}
}

// managed returns the subcommands of a package manager: its own, and those that
// all have.
func managed(own ...program) []program {
	return append(own,
		program{
			names: "publish unpublish deprecate owner yank push login logout adduser token access dist-tag upload uninstall remove " +
				"rm purge autoremove unlink self trunk delete rollback",
			does: hidden | connects | irreversible, operands: words,
		},
		program{
			names: "test t tst run run-script start build check fmt clippy bench version lint dev format typecheck pack watch", does: hidden, operands: words,
		},
		program{names: "config", commands: []program{
			{names: "get list ls debug", harmless: options{"l", "json long"}, operands: words},
			{does: hidden | connects | irreversible, operands: words},
		}},
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
		output, joined := strings.CutPrefix(w.Text, "-o")
		switch {
		case before == "-C" || before == "--directory" || before == "-f":
			a.writesBelow(w)
		case before == "-o":
			a.writes(w)
		case joined && output != "": // -o/path
			a.writes(word.Literal(output))
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
	if i := slices.IndexFunc(c.args, func(w word.Word) bool { return !w.Known() || !dashed(w) }); i >= 0 {
		sub = c.args[i].Text // none, if it is computed
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
		a.raise(Destructive, Protected, fault.T("go env -w changes the settings of every later build"))
	case goFetches(sub, c.args):
		a.network()
	}
	for i, w := range c.args {
		if i > 0 && (c.args[i-1].Text == "-o" || c.args[i-1].Text == "--o") {
			a.writes(w)
		}
	}
	a.opaque(name)
}

// goFetches reports whether a subcommand fetches modules. Others do so only where the
// module cache misses one.
func goFetches(sub string, args []word.Word) bool {
	switch sub {
	case "get":
		return true
	case "mod", "work":
		return !slices.ContainsFunc(args, func(w word.Word) bool {
			return hasField("init edit verify graph why use help", w.Text)
		})
	case "install", "run":
		return slices.ContainsFunc(args, func(w word.Word) bool { return !w.Known() || strings.Contains(w.Text, "@") })
	}
	return false
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
