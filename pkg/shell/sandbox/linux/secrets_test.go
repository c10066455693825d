//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// credentials are places where programs of all kinds keep what must not be read.
var credentials = []string{
	".npmrc", ".yarnrc.yml", ".cargo/credentials", ".cargo/credentials.toml", ".pypirc", ".gem/credentials", ".composer/auth.json",
	".config/composer/auth.json", ".nuget/NuGet/NuGet.Config", ".m2/settings.xml", ".config/rclone/rclone.conf", ".s3cfg", ".databrickscfg",
	".databricks/token-cache.json", ".aws/credentials", ".azure/msal_token_cache.json", ".config/gcloud/credentials.db", ".config/doctl/config.yaml",
	".claude/.credentials.json", ".claude.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".local/share/opencode/auth.json",
	".config/cursor/auth.json", ".cursor/mcp.json", ".aider/oauth-keys.env", ".aider.conf.yml", ".config/goose/secrets.yaml",
	".config/github-copilot/hosts.json", ".copilot/config.json", ".config/gh/hosts.yml", ".kube/config", ".docker/config.json",
	".terraform.d/credentials.tfrc.json", ".terraformrc", ".netrc", ".git-credentials", ".ssh/id_ed25519", ".pgpass", ".psql_history",
	".mysql_history", ".python_history", ".node_repl_history", ".sqlite_history", ".rediscli_history", ".bash_history", ".zsh_history",
	".local/share/fish/fish_history",
}

// home returns a home directory with all credentials and with what else one has.
func home(t *testing.T, dir string) string {
	t.Helper()
	home := filepath.Join(dir, "home")
	plain := []string{".cargo/config.toml", ".local/share/opencode/log/x", ".config/fish/config.fish", ".m2/repository/x", ".nuget/packages/x", ".gem/ruby/x"}
	for i := range 60 {
		plain = append(plain, fmt.Sprintf(".dot%d", i), fmt.Sprintf(".config/app%d/x", i))
	}
	for _, name := range append(plain, credentials...) {
		if err := os.MkdirAll(filepath.Join(home, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(home, name), "sesame\n")
	}
	return home
}

func TestCredentials(t *testing.T) {
	for _, kind := range kinds(t) {
		p := workspaceIn(t, outsideDir(t)) // /tmp is another one in a sandbox
		home := home(t, filepath.Dir(p.Workspace))
		p.Secrets = sandbox.Secrets(home)
		argv := []string{"sh", "-c", `cd "$0"; for f; do grep -q sesame "$f" && echo "$f"; done; cat .cargo/config.toml .dot1`, home}
		o := run(t, kind, p, append(argv, credentials...)...)
		if lines := strings.Split(o.out, "\n"); strings.Count(o.out, "sesame") != 2 || slices.ContainsFunc(lines, func(line string) bool { return slices.Contains(credentials, line) }) {
			t.Errorf("%s: %s", kind, o.out)
		}
	}
}

// TestShut hides files in directories that their owner has shut, and that a command opens:
// where this user may not look into them, they are hidden as a whole.
func TestShut(t *testing.T) {
	for _, kind := range kinds(t) {
		for _, mode := range []os.FileMode{0, 0o100, 0o400} {
			p := workspaceIn(t, outsideDir(t))
			shut := filepath.Join(p.Workspace, "shut")
			lay(t, p.Workspace, "shut/", "shut/deep/", "shut/deep/key=sesame", "plain=word")
			p.Secrets = []string{filepath.Join(shut, "deep/key"), filepath.Join(shut, "none"), filepath.Join(p.Workspace, "none/x")}
			if err := os.Chmod(shut, mode); err != nil {
				t.Fatal(err)
			}
			o := run(t, kind, p, "sh", "-c", `cat plain; chmod 700 shut; cat shut/deep/key; cp shut/deep/key copy && cat copy; mv shut other && cat other/deep/key; grep -r sesame .`)
			for _, name := range []string{shut, filepath.Join(p.Workspace, "other")} { // to be removed
				if err := os.Chmod(name, 0o700); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Error(err)
				}
			}
			if strings.Contains(o.out, "sesame") || !strings.Contains(o.out, "word") {
				t.Errorf("%s, mode %o: %s", kind, mode, o.out)
			}
		}
	}
}

// TestPlainNuGet reads NuGet's settings, which hold no password.
func TestPlainNuGet(t *testing.T) {
	for text, plain := range map[string]bool{
		`<configuration><packageSources><add key="nuget.org" value="https://api.nuget.org/v3/index.json"/></packageSources></configuration>`: true,
		`<configuration><packageSources/><packageSourceCredentials/></configuration>`:                                                        false,
		`<configuration><packageSources/><APIKEYS/></configuration>`:                                                                         false,
		`sesame`: false,
	} {
		path := filepath.Join(t.TempDir(), "NuGet.Config")
		write(t, path, text)
		if got := isPlain(path); got != plain {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestSecretBudget lists what is beside the secrets of a full home directory.
func TestSecretBudget(t *testing.T) {
	p := workspaceIn(t, outsideDir(t))
	home := home(t, filepath.Dir(p.Workspace))
	p.Secrets = nil
	before := len(landlockRules(p, "/bin/sh").rules)
	p.Secrets = slices.DeleteFunc(sandbox.Secrets(home), func(path string) bool { return !strings.HasPrefix(path, home) })
	g := landlockRules(p, "/bin/sh")
	if more := len(g.rules) - before; g.left > 0 || more > 400 {
		t.Errorf("%d more rules, %d are left out", more, g.left)
	}
}

// TestBuildsWithoutCredentials runs programs whose settings are hidden.
func TestBuildsWithoutCredentials(t *testing.T) {
	for _, kind := range kinds(t) {
		p := workspaceIn(t, outsideDir(t)) // /tmp is another one in a sandbox
		home := home(t, filepath.Dir(p.Workspace))
		p.Secrets = sandbox.Secrets(home)
		write(t, filepath.Join(p.Workspace, "package.json"), `{"name":"x","version":"1.0.0","scripts":{"test":"node -e 0"}}`)
		write(t, filepath.Join(p.Workspace, "Cargo.toml"), "[package]\nname = \"x\"\nversion = \"1.0.0\"\nedition = \"2021\"\n")
		if err := os.Mkdir(filepath.Join(p.Workspace, "src"), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(p.Workspace, "src/main.rs"), "fn main() {}\n")
		write(t, filepath.Join(home, ".cargo/config.toml"), "")
		for _, line := range []string{"npm test", "cargo check --offline", "pip --version", "pip download --no-index x; [ $? = 1 ]", "git -C / --version"} {
			program, _, _ := strings.Cut(line, " ")
			if _, err := exec.LookPath(program); err != nil {
				t.Logf("no %s here", program)
				continue
			}
			extra := []string{"HOME=" + home, "CARGO_HOME=" + filepath.Join(home, ".cargo"), "RUSTUP_HOME=" + os.Getenv("HOME") + "/.rustup",
				"CARGO_TARGET_DIR=" + filepath.Join(p.Workspace, "target"), "npm_config_cache=" + filepath.Join(p.Workspace, ".npm"), "PATH=" + os.Getenv("PATH")}
			if o := runWith(t, kind, p, extra, "sh", "-c", line); o.ExitCode != 0 || strings.Contains(o.out, "EACCES") || strings.Contains(o.out, "Permission denied") {
				t.Errorf("%s: %s: %+v\n%s", kind, line, o.State, o.out)
			}
		}
		if kind != sandbox.Namespaces {
			continue
		}
		// What would end a program with an error can be read, and says nothing.
		o := run(t, kind, p, "sh", "-c", `cd "$0"; cat .m2/settings.xml .nuget/NuGet/NuGet.Config .npmrc .yarnrc.yml && ! cat .bash_history 2>&1; ! echo x > .npmrc`, home)
		if !strings.HasPrefix(o.out, "<settings/>\n<configuration/>\ncat: .bash_history: Permission denied") || o.ExitCode != 0 {
			t.Errorf("%+v %s", o.State, o.out)
		}
	}
}
