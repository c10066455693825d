package workspace

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

func TestObeyed(t *testing.T) {
	for class, names := range map[Class]string{
		Refused: ".git .GIT/x a/.git a/.git/HEAD git~1/x .g\u200cit .git./x .helve a/.HELVE/x helve~1",
		Asked: `.vscode .vscode/tasks.json a/b/.VSCode/x .idea x.code-workspace a/My.CODE-WORKSPACE .devcontainer/devcontainer.json .zed/tasks.json
			.claude/settings.json .cursor/mcp.json .codex .gemini .windsurf .roo .opencode opencode.json .mcp.json .aider.conf.yml
			.envrc a/.ENVRC .envrc. .envrc::$DATA ENVRC~1 .bashrc .zshenv .inputrc .husky/pre-commit .githooks/x .github/workflows/ci.yml
			a/.GitHub/Workflows .github/actions/a/action.yml .gitlab-ci.yml .cargo/config.toml a/.cargo/CONFIG .npmrc mise.toml Mise.TOML
			.pre-commit-config.yaml .hg/hgrc .jj/repo/config.toml .docker/config.json .config/git/config .nvim.lua .dir-locals.el lefthook.yml
			/home/me/.ssh/config
			lefthook.yaml lefthook.toml LEFTHOOK.json .lefthook.toml lefthook-local.yml .config/lefthook.yml mise.local.toml .mise.local.toml Mise/config.toml prek.toml
			.github/hooks/x.json a/.github/mcp.json .github/agents/x.md .gitea/workflows/x .forgejo/workflows/x .travis.yml .drone.yml .woodpecker/x.yml azure-pipelines.yml
			bitbucket-pipelines.yml appveyor.yml .cirrus.yml .buildkite/hooks/x Jenkinsfile a/JENKINSFILE .teamcity/x cloudbuild.yaml
			.qwen/x .iflow crush.json .crush.json .factory/x .kilocode/x .augment/x .trae/x .junie/x .openhands/setup.sh .pi/x .amp/x .kimi/x .copilot/x .agents/x mcp.json A/MCP.JSON
			.run/x.run.xml .vs/tasks.vs.json .helix/languages.toml .nvim/x .pdbrc .PDBRC .pryrc .irbrc .Rprofile .iex.exs rust-toolchain.toml rust-toolchain Rust-Toolchain.TOML bunfig.toml
			.pnpmfile.cjs .yarn/releases/yarn.cjs .mvn/jvm.config .bazelrc global.json Global.json .clinerules/hooks/x PDBRC~1 .mvn. .pryrc::$DATA mcp.json.`,
		Free: `. a .gitignore .gitattributes .gitmodules .github .github/ISSUE_TEMPLATE/x .github/dependabot.yml workflows/ci.yml config.toml .cargo
			.cargo/registry/x config CLAUDE.md AGENTS.md .editorconfig .env .env.local vscode my.vscode .vscodex .hg/store/x x.toml package.json
			.config/nvim/x code-workspace .direnv/bin Makefile a~1 git .gitx docs/claude .docker/Dockerfile .dockerignore src/mise/x.toml
			jenkins docs/jenkinsfiles/x tools/bazel mise .yarn .yarn/cache/x .clinerules/x.md package.json tsconfig.json Cargo.toml pyproject.toml ci/x .gitlab/x.md
			.envrc.refused-0123abcd .vscode.refused-0123abcd/tasks.json ünïcode/x`,
	} {
		for name := range strings.FieldsSeq(names) {
			if got, top := Obeyed(name); got != class || (got == Free) != (top == "") || !strings.HasPrefix(strings.ReplaceAll(name, "\\", "/"), top) && name[0] != '/' {
				t.Errorf("%q: class %d of %q, want %d", name, got, top, class)
			}
		}
	}
	if _, top := Obeyed("a/.github/workflows/x/y"); top != "a/.github/workflows" {
		t.Errorf("%q", top)
	}
	for _, p := range obeyed() {
		if p != strings.ToLower(p) || foldName(p) != p {
			t.Errorf("%q can never be found: it is not folded", p)
		}
		if class, top := Obeyed("x" + strings.TrimPrefix(p, "*")); !strings.HasPrefix(p, "*") && class != Free && !strings.Contains(top, "/") {
			t.Errorf("x%s is %d", p, class)
		}
	}
}

// TestAsks is what tools ask about, and what they refuse, in a repository whose
// settings name files of the tree.
func TestAsks(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, ".git/HEAD = ref: refs/heads/main\n", ".git/objects/", ".git/refs/", ".git/hooks/", ".git/info/", "tools/watch", "src/a", "real/", "editor -> .vscode", ".vscode/",
		".git/config = [core]\nhooksPath = my/hooks\nfsmonitor = tools/watch -x\nattributesFile = attrs\n[include]\npath = ../shared.cfg\n",
		"bare.git/HEAD", "bare.git/objects/", "bare.git/refs/", "almost/HEAD", "almost/refs/", "odd/HEAD", "odd/config")
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range []struct {
		verdict, names string
		use            schema.PathUse
	}{
		{"ask", "my/hooks/pre-commit my/hooks tools/watch shared.cfg attrs .vscode/x editor/x .envrc src/.envrc .github/workflows/x", schema.WritePath},
		{"ask", ".vscode .github .cargo src/.config", schema.CreatePath},
		{"ask", ".github a/.cargo tools/watch tools my", schema.RemovePath},
		{"free", "my/x tools/other src/a .github/x README.md bare.git/description almost/x", schema.WritePath},
		{"free", "src/a editor2 almost/config", schema.CreatePath},
		{"refused", ".git/config .git/hooks/x .git/info/attributes .git/rebase-merge/git-rebase-todo .git/worktrees/w/gitdir .git/sequencer/todo src/.git src/.GIT/config", schema.WritePath},
		{"refused", "bare.git/HEAD bare.git/refs/heads/x bare.git/config bare.git/hooks/x bare.git/config.worktree bare.git/info/attributes", schema.WritePath},
		{"refused", "bare.git/hooks bare.git/config", schema.RemovePath},
		// With these, the directory becomes one of git's.
		{"refused", "almost/objects almost/objects/x odd/commondir odd/../almost/commondir", schema.CreatePath},
		{"refused", "almost/objects", replaceEntry},
	} {
		for name := range strings.FieldsSeq(c.names) {
			_, err := r.Resolve(name, c.use)
			got := "free"
			switch {
			case fault.Is(err, fault.ProtectedPath):
				got = "refused"
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case r.Asks(name, c.use):
				got = "ask"
			}
			if got != c.verdict {
				t.Errorf("%s of %s: %s, want %s", c.use, name, got, c.verdict)
			}
			if r.Asks(name, schema.ReadPath) {
				t.Errorf("reading %s asks", name)
			}
		}
	}
	// A rule of the person's allows what is git's, and nothing allows what is helve's.
	r.Permit(func(rel string) bool { return rel == ".git/config" || rel == ".helve/x" })
	if _, err := r.Resolve(".git/config", schema.WritePath); err != nil {
		t.Error(err)
	}
	for _, name := range []string{".git/hooks/x", ".helve/x"} {
		_, err := r.Resolve(name, schema.WritePath)
		wantCode(t, err, fault.ProtectedPath)
	}
}
