package confine

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/workspace"
)

// homeTools lists, below a home directory, the directories of tool chains, package managers
// and what these installed, and the settings without which git does not commit.
const homeTools = `
	.cargo/bin .cargo/registry .cargo/git .cargo/config.toml .rustup go/bin go/pkg .config/go
	.nvm .volta .fnm .local/share/fnm .local/share/pnpm .npm-packages .npm-global .deno .bun
	.pyenv .local/bin .local/lib .local/pipx .local/share/pipx .local/share/uv miniconda3 anaconda3
	.rbenv .rvm .gem .asdf .local/share/mise .sdkman .jdks .m2/repository .m2/wrapper .gradle/wrapper .gradle/caches
	.dotnet .nuget/packages .ghcup .cabal .stack .opam .elan .juliaup .julia .composer/vendor .pub-cache
	.gitconfig .config/git/config .config/git/ignore .config/git/attributes`

// toolchains returns the files and directories outside the workspace that a closed
// program may read beside those of the system: programs on the PATH, tool chains, and
// what the settings open.
func (p *Sandboxed) toolchains() []string {
	home := p.Machine.Home
	all := slices.Concat(p.Machine.Settings.Readable, p.Machine.Settings.Writable)
	add := func(path string) {
		// What is above the workspace or the home directory is not a tool chain.
		if filepath.IsAbs(path) && !p.above(path) && filepath.Dir(path) != path {
			all = append(all, filepath.Clean(path))
		}
	}
	if home != "" {
		for name := range strings.FieldsSeq(homeTools) {
			add(filepath.Join(home, filepath.FromSlash(name)))
		}
	}
	for _, name := range [...]string{
		"GOROOT", "GOPATH", "GOMODCACHE", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "NVM_DIR",
	} {
		for _, dir := range filepath.SplitList(run.Value(p.Machine.Environ, name)) {
			add(dir)
		}
	}
	for _, dir := range filepath.SplitList(run.Value(p.Machine.Environ, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		add(dir)
		// Programs find their libraries beside bin, but not in a directory that everything
		// else is in, too.
		prefix := filepath.Dir(filepath.Clean(dir))
		if filepath.Base(dir) == "bin" && filepath.Dir(filepath.Dir(prefix)) != filepath.Dir(prefix) && prefix != filepath.Join(home, ".local") {
			add(prefix)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(path string) bool { return workspace.WithinOS(path, p.Root.Dir()) })
}
