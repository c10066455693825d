package program

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// buildTools are the programs that build and test: they run code of the
// workspace.
func buildTools() []Row {
	return []Row{
		{
			names: "cmake ninja meson task scons ant msbuild xcodebuild swiftc gcc g++ cc c++ clang clang++ ld as javac tsc esbuild " +
				"mypy ruff black flake8 isort coverage golangci-lint staticcheck shellcheck hadolint protoc buf sqlc ctest",
			does: hidden, judge: buildTool, alone: "-v -version -V",
		},
		{
			names: "bazel buck gradlew sbt lein mix rebar3 rake eslint jest vitest mocha webpack vite rollup pytest tox nox pylint unittest rspec " +
				"phpunit pre-commit",
			does: hidden, judge: buildTool, alone: "-v -V", obeys: "*",
		},
		{names: "just", does: hidden, judge: buildTool, alone: "-l --list --summary --dump --groups --variables"},
		{names: "dotnet", does: hidden, judge: buildTool, alone: "--info --list-sdks --list-runtimes", obeys: "global.json"},
		{names: "gradle", does: hidden, judge: buildTool, alone: "-v -version", obeys: "gradle.properties"},
		{names: "mvn", does: hidden, judge: buildTool, alone: "-v -version", obeys: ".mvn"},
		{names: "rustc rustfmt rustdoc", does: hidden, judge: buildTool, alone: "-V -vV", obeys: rustToolchain},
		{names: "make gmake", does: hidden, judge: makeTool, alone: "-v"},
		{names: "go", judge: goTool},
	}
}

// rustToolchain are the files by which rustup chooses the programs that it runs.
const rustToolchain = "rust-toolchain rust-toolchain.toml"

// packageManagers install programs, and run code of the packages.
func packageManagers() []Row {
	return []Row{
		{names: "npm", alone: "-v", commands: managed(
			Row{names: "ls list ll la", harmless: options{"agl", "all long json parseable global link omit= include= depth="}, operands: words},
			Row{names: "explain why query", harmless: options{long: "json"}, operands: words},
			Row{names: "help root prefix bin", operands: words},
			Row{names: "pkg", commands: []Row{{names: "get", operands: words}, {does: hidden, operands: words}}},
			Row{names: "rebuild cache shrinkwrap set-script", does: hidden, operands: words},
			Row{names: "init create", does: hidden, judge: npmInit},
			Row{names: "exec x", judge: localProgram},
		)},
		{names: "npx", judge: localProgram},
		{names: "pip pip3", commands: managed(
			Row{names: "list freeze", harmless: options{"lv", "local user not-required editable include-editable format= exclude= verbose"}, operands: words},
			Row{names: "show", harmless: options{"fv", "files verbose"}, operands: words},
			Row{names: "inspect help debug", harmless: options{"v", "verbose local user"}, operands: words},
		)},
		{names: "cargo", alone: "-V -vV --list", obeys: rustToolchain, commands: managed(
			Row{names: "metadata tree locate-project pkgid read-manifest verify-project", judge: cargoPrints},
			Row{names: "b c r d doc clean fix nextest expand rustc rustdoc miri package generate-lockfile help init new report", does: hidden, operands: words},
		)},
		{
			names: "pnpm yarn", does: hidden, obeys: "*", alone: "-v -V", before: options{"rC:F:w", "recursive filter= dir= workspace-root parallel stream silent"},
			commands: managed(
				Row{names: "ls list show why info env exec", operands: words},
				Row{names: "workspace", judge: func(c Call) (f findings) { // yarn's
					f.run(append([]word.Word{word.Literal("yarn")}, c.Args[min(1, len(c.Args)):]...))
					return f
				}},
				Row{names: "workspaces", commands: []Row{{names: "focus", does: connects, operands: words}, {operands: words}}},
				Row{names: "install i add ci update up upgrade create dlx audit outdated fetch import dedupe deploy self-update set", judge: offline},
			),
		},
		{
			names: "pnpx bunx pipx uvx poetry pdm pipenv conda mamba gem bundle bundler composer brew nix nix-shell nix-env corepack cabal stack opam " +
				"luarocks conan vcpkg",
			does: hidden, obeys: "*", alone: "-v -V", commands: managed(Row{names: "ls list show why info env exec", operands: words}),
		},
		{names: "uv", alone: "-V", commands: managed(
			Row{names: "pip", commands: []Row{{names: "list show freeze check tree", judge: asksPython}, {does: hidden | connects, operands: words}}},
			Row{names: "venv tree export", does: hidden, operands: words},
			Row{names: "python", commands: []Row{{names: "list find dir", does: hidden, operands: words}, {does: hidden | connects, operands: words}}},
		)},
		{names: "rustup", alone: "-V", commands: managed(
			Row{names: "toolchain override", commands: []Row{{names: "list", operands: words}, {does: hidden | connects, operands: words}}},
			Row{names: "component target", commands: []Row{{names: "list", does: hidden, operands: words}, {does: hidden | connects, operands: words}}},
			Row{names: "show which doc", does: hidden, operands: words},
		)},
		{names: "helm", alone: "version env", commands: []Row{
			{names: "template lint show create package dependency dep", does: hidden, judge: chart},
			{names: "list ls status get history repo search pull test", does: hidden | connects, operands: words},
			{does: reaches | remote, operands: words},
		}},
	}
}

// cargoPrints judges the subcommands of cargo that print what a project is. They write
// the lock file that is missing, and ask the compiler, which the settings of a project may
// name.
func cargoPrints(c Call) (f findings) {
	strange := slices.ContainsFunc(c.Args, func(w word.Word) bool {
		return !w.Known() || strings.HasPrefix(w.Text, "--c") || strings.HasPrefix(w.Text, "-Z") || strings.HasPrefix(w.Text, "-C")
	})
	locked, _ := c.Files.Finds("Cargo.lock")
	if strange || !locked && !hasOption(c.Args, "--offline", "--frozen", "--locked") || c.configured(rustToolchain+" .cargo") {
		f.opaque(c.Name)
	}
	return f
}

// npmInit judges npm init, which fetches what it is named and asks for nothing with -y.
func npmInit(c Call) (f findings) {
	for _, w := range c.Args {
		if !w.Known() || !strings.HasPrefix(w.Text, "-") {
			f.network()
		}
	}
	return f
}

// localProgram judges npx, which starts a program of node_modules and fetches one
// that is not there.
func localProgram(c Call) (f findings) {
	f.opaque(c.Name)
	if hasOption(c.Args, "--no-install", "--no", "--offline") {
		return f
	}
	for _, w := range c.Args {
		switch {
		case w.Known() && (w.Text == "-y" || w.Text == "--yes" || w.Text == "--"):
		case w.Known() && !strings.HasPrefix(w.Text, "-") && !strings.ContainsAny(w.Text, "@:/"):
			if found, known := c.Files.Finds("node_modules/.bin/" + w.Text); !found || !known {
				f.network()
			}
			return f
		default:
			f.network()
			return f
		}
	}
	return f
}

// managed returns the subcommands of a package manager: its own, and those that
// all have.
func managed(own ...Row) []Row {
	return append(own,
		Row{
			names: "publish unpublish deprecate owner yank push login logout adduser token access dist-tag upload uninstall remove " +
				"rm purge autoremove unlink self trunk delete rollback",
			does: hidden | connects | irreversible, operands: words,
		},
		Row{
			names: "test t tst run run-script start build check fmt clippy bench version lint dev format typecheck pack watch", does: hidden, operands: words,
		},
		Row{names: "config", commands: []Row{
			{names: "get list ls debug", harmless: options{"l", "json long"}, operands: words},
			{does: hidden | connects | irreversible, operands: words},
		}},
		Row{does: hidden, judge: func(c Call) findings {
			if manager, sub, _ := strings.Cut(c.Name, " "); sub != "" && word.Listed("pnpm yarn", manager) {
				return nil // a script of the project
			}
			return offline(c)
		}},
	)
}

// offline judges what fetches something unless it is forbidden to.
func offline(c Call) (f findings) {
	if !hasOption(c.Args, "--offline", "--no-index") {
		f.network()
	}
	return f
}

// asksPython judges what asks the interpreter of a virtual environment, which may be one
// of the project.
func asksPython(c Call) (f findings) {
	if c.configured(".venv venv env .python-version uv.toml") {
		f.opaque(c.Name)
	}
	return f
}

// chart judges what renders a chart, which may lie elsewhere.
func chart(c Call) (f findings) {
	elsewhere := slices.ContainsFunc(c.Args, func(w word.Word) bool { return !w.Known() || strings.Contains(w.Text, "://") })
	if elsewhere || hasOption(c.Args, "--repo", "update", "build", "up") {
		f.network()
	}
	return f
}

// buildTool judges where a build tool works and what it writes.
func buildTool(c Call) (f findings) {
	for i, w := range c.Args {
		before := ""
		if i > 0 {
			before = c.Args[i-1].Text
		}
		output, joined := strings.CutPrefix(w.Text, "-o")
		switch {
		case before == "-C" || before == "--directory" || before == "-f":
			f.writesBelow(w)
		case before == "-o":
			f.builds(c, w)
		case joined && output != "": // -o/path
			f.builds(c, word.Literal(output))
		}
	}
	return f
}

// makeTool judges what may be on the command line of make besides targets.
func makeTool(c Call) (f findings) {
	for i, w := range c.Args {
		if strings.HasPrefix(w.Text, "--ev") || w.Text == "-E" || strings.HasPrefix(w.Text, "SHELL=") || strings.HasPrefix(w.Text, ".SHELLFLAGS=") {
			f.evaluates(c.Name)
		}
		fed := w.Text == "-f-" || w.Text == "--file=-" || w.Text == "--makefile=-" ||
			strings.Contains(w.Text, "/dev/stdin") || strings.Contains(w.Text, "/dev/fd")
		if w.Text == "-" && i > 0 {
			before := c.Args[i-1].Text
			fed = before == "-f" || strings.HasPrefix(before, "--fil") || strings.HasPrefix(before, "--mak")
		}
		if fed {
			f.runsInput(c.Name)
		}
	}
	f = append(f, buildTool(c)...)
	return f
}

// goTool judges the go command.
func goTool(c Call) (f findings) {
	sub := ""
	if i := slices.IndexFunc(c.Args, func(w word.Word) bool { return !w.Known() || !dashed(w) }); i >= 0 {
		sub = c.Args[i].Text // none, if it is computed
	}
	name := c.Name + " " + sub
	switch {
	case hasOption(c.Args, "-toolexec", "-vettool", "-exec", "--toolexec", "--vettool", "--exec", "-overlay", "--overlay"):
		f.evaluates(name)
	case sub == "version", sub == "help", sub == "doc", sub == "env" && !hasOption(c.Args, "-w", "-u", "--w", "--u"):
		if !hasOption(c.Args, "-C") {
			return f
		}
	case sub == "list" && goListReads(c.Args):
		return f
	case sub == "env":
		f.raise(policy.Destructive, finding.Protected, fault.T("go env -w changes the settings of every later build"))
	case goFetches(sub, c.Args):
		f.network()
	}
	for i, w := range c.Args {
		if i > 0 && (c.Args[i-1].Text == "-o" || c.Args[i-1].Text == "--o") {
			f.builds(c, w)
		}
	}
	f.opaque(name)
	return f
}

// goFetches reports whether a subcommand fetches modules. Others do so only where the
// module cache misses one.
func goFetches(sub string, args []word.Word) bool {
	switch sub {
	case "get":
		return true
	case "mod", "work":
		return !slices.ContainsFunc(args, func(w word.Word) bool {
			return word.Listed("init edit verify graph why use help sync", w.Text)
		})
	case "install", "run":
		return slices.ContainsFunc(args, func(w word.Word) bool { return !w.Known() || strings.Contains(w.Text, "@") })
	}
	return false
}

// goListReads reports whether the options of go list are among those that only
// choose and format what is listed. Others have it build, or write to the cache.
func goListReads(args []word.Word) bool {
	for _, w := range args {
		name, _, _ := strings.Cut(w.Text, "=")
		switch {
		case !w.Known():
			return false
		case !strings.HasPrefix(w.Text, "-"):
		case !word.Listed("-f -json -m -e -tags", name):
			return false
		}
	}
	return true
}
