package sandbox

import (
	"path/filepath"
	"strings"
)

// secretPaths are the files and directories that usually hold keys and tokens. Names
// without a leading slash are below a person's home directory. A directory of which
// no build needs anything is named as a whole: then its entries need not be listed
// where the kernel only grants rights.
var secretPaths = [...]struct{ why, paths string }{
	{"the machine's passwords and keys, and the disks of its containers", `
		/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/krb5.keytab
		/run/secrets /var/lib/docker /var/lib/kubelet`},
	{"keys by which a person logs in elsewhere, signs and encrypts", `
		.ssh .gnupg .putty .config/sops .config/age .local/share/keyrings .local/share/kwalletd Library/Keychains`},
	{"password managers", `
		.password-store .config/op .config/1Password .config/Bitwarden .local/share/lpass .lastpass .config/keepassxc`},
	{"logins that several programs share", `
		.netrc _netrc .authinfo .authinfo.gpg .git-credentials .config/git/credentials .gitcookies .subversion/auth`},
	{"hosts of code and of builds", `
		.config/gh .config/hub .config/glab-cli .config/tea .circleci/cli.yml .travis/config.yml .sentryclirc .jfrog`},
	{"clouds", `
		.aws .azure .config/gcloud .boto .gsutil .oci .bluemix .aliyun .config/doctl .config/hcloud .config/scw .config/linode-cli .edgerc
		.fly/config.yml .config/netlify .local/share/com.vercel.cli .config/.wrangler .wrangler .railway/config.json
		.supabase .config/configstore/firebase-tools.json .databrickscfg .databricks .snowsql .snowflake .config/snowflake .config/stripe
		.cloudflared .ngrok2 .config/ngrok .doppler .tsh .kaggle .config/kaggle .config/rclone .rclone.conf .s3cfg .passwd-s3fs .mc`},
	{"infrastructure and containers", `
		.kube .docker .config/containers/auth.json .config/helm/registry .config/argocd .vault-token .terraformrc
		.terraform.d/credentials.tfrc.json .pulumi/credentials.json`},
	{"registries of packages", `
		.npmrc .yarnrc.yml .bunfig.toml .config/pnpm/rc .config/pnpm/auth.ini .cargo/credentials .cargo/credentials.toml .pypirc .config/pypoetry/auth.toml
		.local/share/uv/credentials .gem/credentials .local/share/gem/credentials .composer/auth.json .config/composer/auth.json
		.nuget/NuGet/NuGet.Config .config/NuGet/NuGet.Config .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties
		.ivy2/.credentials .sbt/.credentials .hex/hex.config .config/hex/hex.config .config/dart/pub-credentials.json .conan2/credentials.json`},
	{"databases", ".pgpass .my.cnf .mylogin.cnf .dbshell .config/pgcli"},
	{"agents: their logins, the keys in their settings, and what was said to them", `
		.claude .claude.json .claude.json.backup .config/claude .config/Claude .codex .gemini .qwen .iflow .kimi .copilot
		.config/github-copilot .local/share/opencode .config/opencode .local/share/kilo .cursor .config/cursor .config/Cursor/User/globalStorage
		.config/Code/User/globalStorage .aider .aider.conf.yml .aider.chat.history.md .aider.input.history .config/goose .local/share/goose
		.local/share/amp .config/amp .local/share/crush .config/crush .continue .cline .codeium .factory .openhands .nanobot .openclaw .pi .grok .hermes .omp .vibe
		.kiro .local/share/amazon-q .local/share/kiro-cli .config/io.datasette.llm .config/aichat .config/shell_gpt .config/mods
		.cache/huggingface/token .cache/huggingface/stored_tokens .huggingface`},
	{"browsers and mail, for their cookies and passwords", `
		.mozilla .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera .thunderbird
		Library/Cookies`},
	{"histories of shells, databases and interpreters, into which people type passwords", `
		.bash_history .zsh_history .zsh_sessions .zhistory .histfile .sh_history .ksh_history .ash_history .history .local/share/fish/fish_history
		.local/share/xonsh .local/share/atuin .config/nushell/history.txt .config/nushell/history.sqlite3
		.psql_history .mysql_history .mariadb_history .sqlite_history .rediscli_history .mongodb .mongorc.js .duckdb_history .cqlsh_history
		.python_history .ipython/profile_default/history.sqlite .node_repl_history .bun_repl_history .irb_history .pry_history .php_history .lesshst`},
}

// macSecrets are names below a home directory with a space in them.
var macSecrets = [...]string{
	"Library/Application Support/Google/Chrome", "Library/Application Support/Firefox", "Library/Application Support/Claude",
	"Library/Application Support/opencode", "Library/Application Support/Cursor/User/globalStorage", "Library/Application Support/Code/User/globalStorage",
}

// Secrets returns the files and directories that usually hold keys and tokens, for the
// home directory of a person. A profile may name paths that do not exist.
func Secrets(home string) []string {
	all := make([]string, 0, 256)
	for _, group := range secretPaths {
		for path := range strings.FieldsSeq(group.paths) {
			switch {
			case path[0] == '/':
				if filepath.Separator == '/' {
					all = append(all, path)
				}
			case home != "":
				all = append(all, filepath.Join(home, filepath.FromSlash(path)))
			}
		}
	}
	if home != "" {
		for _, path := range macSecrets {
			all = append(all, filepath.Join(home, filepath.FromSlash(path)))
		}
	}
	return all
}
