package known

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// moved lists the directories below a home directory that a variable moves elsewhere.
var moved = [...]struct{ dir, variable string }{
	{".config", "XDG_CONFIG_HOME"}, {".local/share", "XDG_DATA_HOME"}, {".local/state", "XDG_STATE_HOME"}, {".cache", "XDG_CACHE_HOME"},
	{"go", "GOPATH"}, {".cargo", "CARGO_HOME"}, {".rustup", "RUSTUP_HOME"}, {".gradle", "GRADLE_USER_HOME"}, {".nvm", "NVM_DIR"}, {".pyenv", "PYENV_ROOT"}, {".volta", "VOLTA_HOME"},
	{".bun", "BUN_INSTALL"}, {".local/share/pnpm", "PNPM_HOME"}, {".sdkman", "SDKMAN_DIR"}, {".rbenv", "RBENV_ROOT"}, {".asdf", "ASDF_DATA_DIR"}, {".conda", "CONDA_PREFIX"},
	{".gnupg", "GNUPGHOME"}, {".docker", "DOCKER_CONFIG"}, {".kube/config", "KUBECONFIG"}, {".aws/credentials", "AWS_SHARED_CREDENTIALS_FILE"}, {".aws/config", "AWS_CONFIG_FILE"},
	{".config/gcloud", "CLOUDSDK_CONFIG"}, {".azure", "AZURE_CONFIG_DIR"}, {".config/gh", "GH_CONFIG_DIR"}, {".password-store", "PASSWORD_STORE_DIR"}, {".vault-token", "VAULT_TOKEN_FILE"},
	{".claude", "CLAUDE_CONFIG_DIR"}, {".codex", "CODEX_HOME"}, {".npmrc", "NPM_CONFIG_USERCONFIG"}, {".netrc", "NETRC"}, {".pgpass", "PGPASSFILE"}, {".pg_service.conf", "PGSERVICEFILE"},
	{".Xauthority", "XAUTHORITY"}, {".bash_history", "HISTFILE"}, {".huggingface", "HF_TOKEN_PATH"}, {".mozilla", "MOZ_LEGACY_HOME"},
}

// Place is a person's home directory, parts of which variables may have moved.
type Place struct {
	home    string
	environ []string
	moves   []move
}

type move struct{ dir, to string }

// At returns the place for a home directory, absolute or "" if unknown, and variables as
// "NAME=value".
func At(home string, environ ...string) Place {
	p := Place{home: home, environ: environ}
	for _, m := range moved {
		for _, dir := range filepath.SplitList(p.variable(m.variable)) {
			if filepath.IsAbs(dir) {
				p.moves = append(p.moves, move{m.dir, filepath.Clean(dir)})
			}
		}
	}
	return p
}

func (p Place) variable(name string) string {
	for _, entry := range slices.Backward(p.environ) {
		if key, value, ok := strings.Cut(entry, "="); ok && key == name {
			return value
		}
	}
	return ""
}

// visit calls yield with where a path of the table may be: where variables move it to, and
// below the home directory.
func (p Place) visit(name string, yield func(path string)) {
	name = strings.ReplaceAll(name, "?", " ")
	if name[0] == '/' {
		if filepath.Separator == '/' {
			yield(name)
		}
		return
	}
	for _, m := range p.moves {
		if rest, ok := strings.CutPrefix(name, m.dir); ok && (rest == "" || rest[0] == '/') {
			yield(m.to + filepath.FromSlash(rest))
		}
	}
	if p.home != "" {
		yield(filepath.Join(p.home, filepath.FromSlash(name)))
	}
}

// Paths returns where a path of the table may be, the likeliest first.
func (p Place) Paths(name string) (all []string) {
	p.visit(name, func(path string) { all = append(all, path) })
	return all
}

// first returns the first of Paths, "" if there is none.
func (p Place) first(name string) string {
	if all := p.Paths(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Moved returns the directories that variables name in place of those below the home
// directory that hold settings and data of all programs.
func (p Place) Moved() (all []string) {
	for _, m := range p.moves {
		switch m.dir {
		case ".config", ".local/share", ".local/state", ".cache":
			all = append(all, m.to)
		}
	}
	return all
}

// Secrets returns the files and directories that usually hold keys and tokens. They need
// not exist.
func (p Place) Secrets() []string {
	all := make([]string, 0, 1<<10)
	add := func(path string) { all = append(all, path) }
	for i := range programs {
		for name := range strings.FieldsSeq(programs[i].Secrets) {
			p.visit(name, add)
		}
		for _, b := range programs[i].Blanks {
			p.visit(b.Path, add)
		}
	}
	return all
}

// Reads returns the files and directories that builds need, without caches.
func (p Place) Reads() (all []string) {
	add := func(path string) { all = append(all, path) }
	for i := range programs {
		for name := range strings.FieldsSeq(programs[i].Reads) {
			p.visit(name, add)
		}
	}
	return all
}

// Caches returns the caches with their paths, absolute.
func (p Place) Caches() (all []Cache) {
	for i := range programs {
		for _, c := range programs[i].Caches {
			c.Path = cmp.Or(p.variable(c.Set), p.first(c.Path))
			if filepath.IsAbs(c.Path) {
				c.Path = filepath.Clean(c.Path)
				if c.Moves != "" {
					c.Moves = p.first(c.Moves)
				}
				all = append(all, c)
			}
		}
	}
	return all
}

// General returns the directory of all caches that are made without a question, "" if
// there is none.
func (p Place) General() string { return p.first(".cache") }

// Obeyed returns the paths in a tree that programs execute or obey.
func Obeyed() (all []string) {
	for i := range programs {
		all = append(all, strings.Fields(programs[i].Obeyed)...)
	}
	return all
}

// BlankText returns the text that programs may read in place of a secret file; ok is false
// for one that they may not read at all.
func BlankText(path string) (text string, ok bool) {
	path = filepath.ToSlash(path)
	for i := range programs {
		for _, b := range programs[i].Blanks {
			if rest, found := strings.CutSuffix(path, b.Path); found && strings.HasSuffix(rest, "/") {
				return b.Text, true
			}
		}
	}
	return "", false
}
