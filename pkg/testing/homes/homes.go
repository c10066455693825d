// Package homes makes home directories as people have them, for tests and benchmarks: with
// secrets of all kinds among other files. Its list is not the table of package known, which
// it judges.
package homes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Word is in every file that must not be read.
const Word = "sesame"

// secrets are files in which the programs of a home in the middle of the twenties keep
// keys, logins, histories, and what was said. "?" stands for a blank.
const secrets = `
	.ssh/id_rsa .ssh/id_ed25519 .ssh/id_ecdsa .ssh/config .ssh/authorized_keys .ssh/agent.env .ssh/work/key .gnupg/private-keys-v1.d/A.key .gnupg/secring.gpg .gnupg/trustdb.gpg .putty/key.ppk
	.config/age/keys.txt .config/sops/age/keys.txt .minisign/minisign.key .sigstore/root/x .step/secrets/root .config/gopass/config .local/share/gopass/stores/x .pki/nssdb/key4.db .mitmproxy/mitmproxy-ca.pem
	.local/share/mkcert/rootCA-key.pem .local/share/keyrings/login.keyring .local/share/keyrings/default .local/share/kwalletd/kdewallet.kwl .password-store/bank.gpg .password-store/mail/work.gpg
	.config/op/config .config/1Password/settings.json .config/Bitwarden/data.json .config/Bitwarden?CLI/data.json snap/bw/current/.config/Bitwarden?CLI/data.json .config/rbw/config.json .local/share/rbw/x.json
	.lastpass/x .local/share/lpass/key .config/keepassxc/keepassxc.ini .cache/keepassxc/keepassxc.ini passwords.kdbx Documents/passwords.txt Documents/tax/2025.pdf Desktop/notes.md Downloads/recovery-codes.txt
	.netrc _netrc .authinfo .authinfo.gpg .git-credentials .config/git/credentials .gitcookies .subversion/auth/svn.simple/x .config/hub .smbcredentials .google_authenticator
	.config/gh/hosts.yml .config/glab-cli/config.yml .config/tea/config.yml .circleci/cli.yml .travis/config.yml .sentryclirc .jfrog/jfrog-cli.conf.v6 .hgrc .config/jj/config.toml .buildkite/config .config/act/actrc
	.aws/credentials .aws/config .aws/sso/cache/x.json .aws/cli/cache/y.json .azure/msal_token_cache.json .azure/accessTokens.json .config/gcloud/credentials.db .config/gcloud/application_default_credentials.json
	.config/gcloud/legacy_credentials/me/adc.json .boto .gsutil/x .oci/config .oci/key.pem .bluemix/config.json .aliyun/config.json .config/doctl/config.yaml .config/hcloud/cli.toml .config/scw/config.yaml
	.config/linode-cli .edgerc .fly/config.yml .config/netlify/config.json .netlify/config.json .local/share/com.vercel.cli/auth.json .config/.wrangler/config/default.toml .wrangler/config/default.toml .railway/config.json
	.supabase/access-token .config/configstore/firebase-tools.json .config/configstore/x.json .databrickscfg .databricks/token-cache.json .snowsql/config .snowflake/connections.toml .config/snowflake/config.toml
	.config/stripe/config.toml .dbt/profiles.yml .bigqueryrc .config/neonctl/credentials.json .config/pscale/access-token .config/turso/settings.json .cloudflared/cert.pem .ngrok2/ngrok.yml .config/ngrok/ngrok.yml
	.doppler/.doppler.yaml .infisical/x .tsh/keys/x .teleport/x .kaggle/kaggle.json .config/kaggle/kaggle.json .config/rclone/rclone.conf .s3cfg .passwd-s3fs .mc/config.json .config/restic/password .config/borg/keys/x
	.modal.toml .config/wandb/settings .config/replicate/token .config/heroku/x .heroku/x .vultr-cli.yaml .config/openai/key .openai/auth.json
	.kube/config .kube/cache/x .config/argocd/config .talos/config .config/talos/config .minikube/profiles/x/client.key .config/helm/registry/config.json .rancher/cli2.json .config/k9s/clusters/x.yaml
	.docker/config.json .docker/contexts/x .config/containers/auth.json .local/share/containers/storage/x .lima/_config/user .colima/ssh_config .vault-token .terraformrc .terraform.d/credentials.tfrc.json .pulumi/credentials.json
	.config/pulumi/x .ansible/vault/x .vault_pass.txt .vagrant.d/insecure_private_key .nomad/x .consul/x .config/packer/x
	.npmrc .yarnrc.yml .bunfig.toml .config/pnpm/rc .config/pnpm/auth.ini .cargo/credentials .cargo/credentials.toml .pypirc .config/pypoetry/auth.toml .local/share/uv/credentials/x.toml .gem/credentials .local/share/gem/credentials
	.bundle/config .composer/auth.json .config/composer/auth.json .nuget/NuGet/NuGet.Config .config/NuGet/NuGet.Config .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .ivy2/.credentials .sbt/.credentials
	.hex/hex.config .config/hex/hex.config .config/dart/pub-credentials.json .conan2/credentials.json .cabal/credentials .erlang.cookie .bazelrc .jupyter/jupyter_server_config.json .microsoft/usersecrets/x/secrets.json .aspnet/https/x.pfx
	.pgpass .pg_service.conf .my.cnf .mylogin.cnf .dbshell .config/pgcli/config .config/mycli/x .myclirc .mongorc.js .mongodb/mongosh/x .redisclirc .cassandra/credentials .local/share/DBeaverData/workspace6/x .config/DataGrip/x
	.bitcoin/wallet.dat .litecoin/wallet.dat .dogecoin/wallet.dat .ethereum/keystore/x .electrum/wallets/default_wallet .config/Exodus/exodus.wallet/x .config/Ledger?Live/app.json .config/solana/id.json .sui/sui_config/sui.keystore
	.near-credentials/x.json .foundry/keystores/x .monero/x.keys .lnd/wallet.db .local/share/polkadot/x .android/adbkey .emulator_console_auth_token .ipfs/config
	.mozilla/firefox/p/key4.db .mozilla/firefox/p/logins.json .mozilla/firefox/p/cookies.sqlite snap/firefox/common/.mozilla/firefox/p/key4.db snap/firefox/common/.mozilla/firefox/p/logins.json snap/chromium/common/chromium/Default/Cookies
	.var/app/org.mozilla.firefox/.mozilla/firefox/p/key4.db .var/app/org.chromium.Chromium/config/chromium/Default/Login?Data .var/app/com.google.Chrome/config/google-chrome/Default/Cookies .config/google-chrome/Default/Login?Data
	.config/google-chrome/Default/Cookies .config/chromium/Default/Login?Data .config/BraveSoftware/Brave-Browser/Default/Cookies .config/microsoft-edge/Default/Cookies .config/vivaldi/Default/Cookies .config/opera/Cookies .librewolf/p/key4.db
	.cache/mozilla/firefox/p/x .cache/google-chrome/Default/x .cache/chromium/x .local/share/qutebrowser/webengine/Cookies .local/share/epiphany/x
	.thunderbird/p/key4.db .thunderbird/p/Mail/Inbox .cache/thunderbird/x .mutt/muttrc .muttrc .config/neomutt/neomuttrc .msmtprc .mbsyncrc .fetchmailrc .getmail/getmailrc .offlineimaprc .config/evolution/sources/x .local/share/evolution/mail/x
	.config/aerc/accounts.conf .config/himalaya/config.toml .config/Mailspring/x .notmuch-config Maildir/new/x Mail/inbox .config/vdirsyncer/config .procmailrc .local/share/akonadi/x
	.config/Slack/Cookies .config/Slack/storage/x .config/Signal/config.json .config/Signal/sql/db.sqlite .var/app/org.signal.Signal/config/Signal/config.json .config/discord/x .config/Element/x .local/share/TelegramDesktop/tdata/x .config/teams/x
	.purple/accounts.xml .config/weechat/sec.conf .weechat/sec.conf .irssi/config .local/share/signal-cli/data/x .config/keybase/x .config/zoomus.conf
	.config/obsidian/x .config/Notion/x .config/joplin-desktop/database.sqlite .dropbox/x .config/Nextcloud/nextcloud.cfg .config/syncthing/key.pem .config/remmina/x .vnc/passwd .config/filezilla/sitemanager.xml .lftp/bookmarks .config/protonvpn/x
	.config/Postman/x .config/Insomnia/x .httpie/sessions/x .local/share/Steam/config/x .Xauthority .ICEauthority .config/pulse/cookie .local/share/recently-used.xbel .local/share/Trash/files/x
	.claude/.credentials.json .claude/history.jsonl .claude.json .claude.json.backup .config/claude/x .codex/auth.json .codex/sessions/x .gemini/oauth_creds.json .qwen/oauth_creds.json .iflow/x .kimi/x .copilot/config.json
	.config/github-copilot/hosts.json .local/share/opencode/auth.json .config/opencode/opencode.json .local/share/kilo/x .cursor/mcp.json .config/cursor/auth.json .config/Cursor/User/globalStorage/state.vscdb .config/Cursor/User/settings.json
	.config/Code/User/globalStorage/state.vscdb .config/Code/User/settings.json .config/VSCodium/User/settings.json .vscode-server/data/User/x .aider/oauth-keys.env .aider.conf.yml .aider.chat.history.md .config/goose/secrets.yaml .local/share/goose/x
	.local/share/amp/secrets.json .config/crush/crush.json .local/share/crush/crush.json .continue/config.yaml .cline/x .codeium/config.json .factory/auth.json .openhands/settings.json .nanobot/config.json .openclaw/openclaw.json .pi/auth.json
	.grok/user-settings.json .hermes/.env .vibe/.env .kiro/x .local/share/amazon-q/data.sqlite3 .augment/session.json .junie/x .trae/x .config/io.datasette.llm/keys.json .config/aichat/config.yaml .cache/huggingface/token .cache/huggingface/stored_tokens
	.ollama/id_ed25519 .ollama/history .lmstudio/x .config/zed/settings.json .local/share/zed/db/x .config/JetBrains/x/options/x.xml .local/share/JetBrains/x .java/.userPrefs/x
	.bashrc .bash_profile .profile .zshrc .zshenv .zprofile .config/fish/config.fish .config/fish/fish_variables .config/nushell/env.nu .config/environment.d/x.conf .env .envrc .secrets .tokens
	.bash_history .zsh_history .zsh_sessions/x .local/share/fish/fish_history .local/share/atuin/key .local/share/atuin/history.db .psql_history .mysql_history .sqlite_history .rediscli_history .python_history .node_repl_history .irb_history .lesshst .viminfo
	.local/state/vim/viminfo .local/share/nvim/shada/main.shada .wget-hsts work/other-project/.env work/other-project/main.go notes.txt diary/2026.md .unknown-program/token .config/unknown/auth.json .local/share/unknown/key .cache/unknown/token`

// Make fills a directory with secrets and that many other files that nobody needs, which
// have [Word] as well, and returns the paths of all, relative to it.
func Make(dir string, others int) (all []string, err error) {
	for name := range strings.FieldsSeq(secrets) {
		all = append(all, strings.ReplaceAll(name, "?", " "))
	}
	for i := range others {
		all = append(all, fmt.Sprintf("file%d", i))
	}
	for _, name := range all {
		if err := Write(dir, name, Word+"\n"); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Write makes a file with the directories above it, which everybody may read.
func Write(dir, name, text string) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o755)
}
