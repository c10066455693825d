package known

// agents keep logins, keys in their settings and what was said to them in a home
// directory. In a tree they obey hooks, permissions and servers to start.
const agentsObey = "it runs the hooks, starts the servers and grants the permissions that are named there"

// The rows are statically initialized data, so that they cost nothing at start.
var programs = [...]Program{
	// Agents.
	{Name: "Claude Code", Why: agentsObey, Secrets: ".claude .claude.json .claude.json.backup .config/claude .config/Claude .cache/claude-cli-nodejs Library/Application?Support/Claude",
		Obeyed: ".claude .claude.json .claude-plugin", Reads: ".local/share/claude .claude/local"},
	{Name: "Codex", Why: agentsObey, Secrets: ".codex", Obeyed: ".codex"},
	{Name: "Gemini CLI", Why: agentsObey, Secrets: ".gemini", Obeyed: ".gemini"},
	{Name: "Qwen Code", Why: agentsObey, Secrets: ".qwen", Obeyed: ".qwen"},
	{Name: "iFlow", Why: agentsObey, Secrets: ".iflow", Obeyed: ".iflow"},
	{Name: "Kimi", Why: agentsObey, Secrets: ".kimi", Obeyed: ".kimi"},
	{Name: "Copilot", Why: agentsObey + "; its coding agent obeys those for GitHub", Secrets: ".copilot .config/github-copilot", Obeyed: ".copilot .github/hooks .github/mcp.json .github/agents"},
	{Name: "OpenCode", Why: agentsObey, Secrets: ".local/share/opencode .config/opencode .local/state/opencode .local/share/kilo Library/Application?Support/opencode",
		Obeyed: ".opencode opencode.json opencode.jsonc", Reads: ".opencode/bin"},
	{Name: "Cursor", Why: agentsObey, Secrets: ".cursor .config/cursor .config/Cursor .cursor-server Library/Application?Support/Cursor", Obeyed: ".cursor", Reads: ".local/share/cursor-agent"},
	{Name: "Windsurf", Why: agentsObey, Secrets: ".codeium .windsurf .windsurf-server .config/Windsurf", Obeyed: ".windsurf .codeium"},
	{Name: "Roo Code", Why: agentsObey, Secrets: ".roo", Obeyed: ".roo"},
	{Name: "Cline", Why: agentsObey, Secrets: ".cline", Obeyed: ".cline .clinerules/hooks"},
	{Name: "Kilo Code", Why: agentsObey, Secrets: ".kilocode .kilo .config/kilo", Obeyed: ".kilocode .kilo"},
	{Name: "Continue", Why: agentsObey, Secrets: ".continue", Obeyed: ".continue"},
	{Name: "Kiro and Amazon Q", Why: agentsObey, Secrets: ".kiro .local/share/amazon-q .local/share/kiro-cli .config/Kiro", Obeyed: ".kiro .amazonq"},
	{Name: "Aider", Why: "it runs the linters, tests and editors that are named there", Secrets: ".aider .aider.conf.yml .aider.conf.yaml .aider.chat.history.md .aider.input.history", Obeyed: ".aider.conf.yml .aider.conf.yaml"},
	{Name: "Goose", Why: agentsObey, Secrets: ".config/goose .local/share/goose .local/state/goose", Obeyed: ".goose"},
	{Name: "Amp", Why: agentsObey, Secrets: ".local/share/amp .config/amp .amp", Obeyed: ".amp"},
	{Name: "Crush", Why: agentsObey, Secrets: ".local/share/crush .config/crush", Obeyed: "crush.json .crush.json .crush"},
	{Name: "Factory", Why: agentsObey, Secrets: ".factory", Obeyed: ".factory"},
	{Name: "Augment", Why: agentsObey, Secrets: ".augment .augmentcode", Obeyed: ".augment"},
	{Name: "Trae", Why: agentsObey, Secrets: ".trae .trae-cn .config/Trae .marscode", Obeyed: ".trae .marscode"},
	{Name: "Junie", Why: agentsObey, Secrets: ".junie", Obeyed: ".junie"},
	{Name: "OpenHands", Why: "it runs setup.sh and the hooks that are there", Secrets: ".openhands", Obeyed: ".openhands"},
	{Name: "Pi", Why: "it loads extensions from there", Secrets: ".pi .omp", Obeyed: ".pi .omp"},
	{Name: "Antigravity", Why: agentsObey, Secrets: ".antigravity .config/Antigravity", Obeyed: ".antigravity .agent"},
	{Name: "CodeBuddy and Qoder", Why: agentsObey, Secrets: ".codebuddy .qoder .config/Qoder", Obeyed: ".codebuddy .qoder"},
	{Name: "Rovo Dev", Why: agentsObey, Secrets: ".rovodev", Obeyed: ".rovodev"},
	{Name: "Vibe", Why: agentsObey, Secrets: ".vibe", Obeyed: ".vibe"},
	{Name: "Grok", Why: agentsObey, Secrets: ".grok", Obeyed: ".grok"},
	{Name: "Hermes", Why: agentsObey, Secrets: ".hermes", Obeyed: ".hermes"},
	{Name: "Tabnine", Why: agentsObey, Secrets: ".tabnine .config/TabNine", Obeyed: ".tabnine"},
	{Name: "Zencoder", Why: agentsObey, Secrets: ".zencoder", Obeyed: ".zencoder"},
	{Name: "gptme", Why: "it runs context_cmd", Secrets: ".config/gptme .local/share/gptme", Obeyed: "gptme.toml"},
	{Name: "agents in general", Why: "several agents load skills, hooks and servers from these", Obeyed: ".agents .mcp.json mcp.json"},
	{Name: "agents without settings in a tree", Secrets: `.openclaw .nanobot .config/io.datasette.llm .config/aichat .config/shell_gpt .config/mods .config/fabric
		.cache/lm-studio .lmstudio .jan .config/Jan .config/AnythingLLM`},
	{Name: "Hugging Face", Secrets: ".cache/huggingface/token .cache/huggingface/stored_tokens .huggingface", Caches: []Cache{{Path: ".cache/huggingface"}}},
	{Name: "Ollama", Secrets: ".ollama/id_ed25519 .ollama/history"},

	// Keys, logins and what people keep to themselves.
	{Name: "the machine", Secrets: `/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/krb5.keytab
		/run/secrets /var/lib/docker /var/lib/kubelet`},
	{Name: "OpenSSH", Why: "git knows by them which servers are the right ones", Secrets: ".ssh .putty", Obeyed: ".ssh .rhosts", Reads: ".ssh/known_hosts .ssh/known_hosts2"},
	{Name: "GnuPG", Why: "its settings name programs", Secrets: ".gnupg", Obeyed: ".gnupg"},
	{Name: "keys that sign and encrypt", Secrets: ".config/sops .config/age .age .minisign .sigstore .config/gopass .local/share/gopass .step .config/step .mitmproxy .local/share/mkcert .pki .cert"},
	{Name: "keyrings", Secrets: ".local/share/keyrings .local/share/kwalletd Library/Keychains .gnome2/keyrings .kde/share/apps/kwallet"},
	{Name: "password managers", Secrets: `.password-store .config/op .config/1Password .op .config/Bitwarden .config/Bitwarden?CLI .config/rbw .local/share/rbw .cache/rbw .local/share/lpass .lpass
		.lastpass .config/keepassxc .cache/keepassxc .keepass .config/KeePass .config/dashlane-cli .config/Enpass .config/protonpass .local/share/proton-pass-cli`},
	{Name: "logins that several programs share", Secrets: ".authinfo .authinfo.gpg .netrc.gpg .gitcookies .subversion/auth .config/hub .krb5 .k5login .google_authenticator .config/oauth2l .smbcredentials .cifs"},
	{Name: "curl and wget", Why: "they read further options, such as where to write", Blanks: []Blank{{".netrc", ""}, {"_netrc", ""}}, Secrets: ".wget-hsts .curlrc .wgetrc", Obeyed: ".netrc .curlrc .wgetrc"},
	{Name: "hosts of code and of builds", Secrets: `.config/gh .config/gh-copilot .config/glab-cli .config/tea .config/berg .config/codeberg .circleci/cli.yml .travis/config.yml .sentryclirc .jfrog .hgrc
		.config/jj/config.toml .jjconfig.toml .buildkite .config/bk.yaml .config/act .actrc .config/linear .config/jira .config/.jira .jira.d .config/atlassian .arcrc .config/phabricator`},
	{Name: "clouds", Secrets: `.azure .config/gcloud .boto.cfg .gsutil .oci .bluemix .aliyun .tccli .config/doctl .config/hcloud .config/scw .config/linode-cli .edgerc .vultr-cli.yaml .config/vultr-cli
		.fly .config/fly .config/netlify .netlify .local/share/com.vercel.cli .config/com.vercel.cli .vercel .config/.wrangler .wrangler .railway .render .config/render .config/heroku .local/share/heroku .heroku
		.supabase .config/supabase .config/configstore .config/firebase .databrickscfg .databricks .snowsql .snowflake .config/snowflake .config/stripe .dbt .bigqueryrc .config/neonctl .pscale .config/pscale
		.config/planetscale .turso .config/turso .cloudflared .ngrok .ngrok2 .config/ngrok .tailscale .config/tailscale .zerotier .doppler .infisical .config/infisical .tsh .teleport .kaggle .config/kaggle
		.config/rclone .rclone.conf .s3cfg .passwd-s3fs .mc .config/backblaze_b2 .b2_account_info .config/b2 .config/restic .config/borg .config/duplicity .config/ibmcloud .exoscale .config/exoscale .civo.json
		.config/modal .modal.toml .config/runpod .runpod .config/wandb .config/replicate .config/openai .openai .config/anthropic .anthropic`, Blanks: []Blank{{".boto", ""}}},
	{Name: "AWS", Secrets: ".aws .elasticbeanstalk .aws-sam .chalice", Obeyed: ".aws", Why: "its settings name programs that print logins"},
	{Name: "Kubernetes", Why: "its settings name programs that print logins", Secrets: ".kube .config/argocd .argocd .config/helm/registry .config/k9s .local/share/k9s .talos .config/talos .minikube .k3d .kind .config/linkerd .rancher .config/openshift .config/lens .config/Lens .config/k0s",
		Obeyed: ".kube", Reads: ".krew .local/share/helm", Caches: []Cache{{Path: ".cache/helm"}}},
	{Name: "containers", Why: "its settings name programs that print logins", Secrets: ".docker .config/containers/auth.json .local/share/containers .lima .colima .orbstack .config/podman .sbx",
		Obeyed: ".docker/config.json"},
	{Name: "infrastructure", Secrets: `.vault-token .vault .consul .nomad .terraform.d/credentials.tfrc.json .config/opentofu/credentials.tfrc.json .pulumi/credentials.json .pulumi/accounts .config/pulumi .ansible/vault .vault_pass
		.vault_pass.txt .config/ansible .ansible/galaxy_token .chef .puppet .salt .config/packer .vagrant.d/data .vagrant.d/insecure_private_key .vagrant.d/insecure_private_keys`,
		Blanks: []Blank{{".terraformrc", ""}, {".tofurc", ""}}, Reads: ".terraform.d/plugins .terraform.d/plugin-cache .tfenv .tofuenv .tgenv .local/share/aquaproj-aqua", Why: "versions and plugins"},
	{Name: "databases", Secrets: `.pgpass .pg_service.conf .psqlrc .mylogin.cnf .mysql .dbshell .config/pgcli .config/mycli .myclirc .config/litecli .mongorc.js .mongodb .mongosh .redisclirc .rediscli_auth .sqliterc .duckdbrc .cqlshrc
		.cassandra .oracle .sqldeveloper .dbeaver4 .local/share/DBeaverData .config/DataGrip .config/clickhouse-client .clickhouse-client .usql_history .usqlrc .config/usql .influxdbv2 .config/beekeeper-studio .config/TablePlus .config/edgedb .config/gel`,
		Blanks: []Blank{{".my.cnf", ""}}},
	{Name: "wallets", Secrets: `.bitcoin .litecoin .dogecoin .dash .zcash .monero .bitmonero .ethereum .electrum .electrum-ltc .config/Exodus .config/Ledger?Live .config/atomic .config/solana .sui .aptos .near-credentials .near .starkli .starknet_accounts
		.foundry/keystores .brownie .cosmos .gaia .polkadot .local/share/polkadot .cardano .config/@trezor .config/Wasabi .walletwasabi .lnd .lightning .ipfs .config/ipfs .avalanche-cli .avalanchego .config/Daedalus`,
		Reads: ".foundry/bin .foundry/versions", Why: "compilers of contracts"},
	{Name: "Android", Why: "builds sign what is debugged with a key that has a well-known password", Secrets: ".android/adbkey .android/adb_known_hosts.pb .emulator_console_auth_token", Reads: "Android/Sdk .android/debug.keystore .android/avd .android/cache .android/analytics.settings"},
	{Name: "browsers", Secrets: `.mozilla .librewolf .waterfox .zen .floorp .config/google-chrome .config/google-chrome-beta .config/google-chrome-unstable .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera
		.config/Arc .config/thorium .config/yandex-browser .cache/mozilla .cache/google-chrome .cache/chromium .cache/BraveSoftware .cache/microsoft-edge .cache/vivaldi .local/share/qutebrowser .config/qutebrowser .local/share/epiphany .config/falkon .local/share/falkon
		.tor-browser .local/share/torbrowser Library/Cookies Library/Safari Library/Application?Support/Google/Chrome Library/Application?Support/Firefox Library/Application?Support/BraveSoftware Library/Application?Support/Microsoft?Edge Library/Application?Support/Arc`},
	{Name: "programs of snap and flatpak, which keep their settings, cookies and keys there", Secrets: "snap .var/app Library/Containers Library/Group?Containers"},
	{Name: "mail", Why: "a message that arrives starts a program", Secrets: `.thunderbird .cache/thunderbird .mutt .muttrc .config/mutt .config/neomutt .neomuttrc .msmtprc .config/msmtp .mbsyncrc .isyncrc .config/isyncrc .fetchmailrc .getmail .config/getmail .offlineimaprc .config/offlineimap .mailrc
		.config/evolution .local/share/evolution .cache/evolution .config/geary .local/share/geary .local/share/kmail2 .config/kmail2rc .local/share/akonadi .config/akonadi .config/aerc .config/himalaya .config/mailspring .config/Mailspring .config/protonmail .config/vdirsyncer .local/share/vdirsyncer
		.notmuch-config .pine .pinerc .alpine .gnus .newsauth Maildir Mail mail .maildir .procmailrc .config/khal .local/share/calendars .local/share/contacts Library/Mail Library/Messages`, Obeyed: ".forward .procmailrc"},
	{Name: "messengers", Secrets: `.config/Slack .config/Signal .config/discord .config/discordcanary .config/vesktop .config/Element .config/Riot .local/share/TelegramDesktop .config/teams .config/Microsoft/Microsoft?Teams .config/teams-for-linux .config/Skype .skype .config/zoomus.conf .zoom .purple .config/purple .weechat
		.config/weechat .local/share/weechat .irssi .config/irssi .config/hexchat .config/Mattermost .config/Rocket.Chat .config/whatsapp .config/WhatsDesk .config/whatsdesk .local/share/signal-cli .config/wire .config/Wire .config/Session .config/Keybase .config/keybase .local/share/keybase .config/gajim .local/share/gajim
		.config/dino .local/share/dino Library/Application?Support/Slack Library/Application?Support/Signal Library/Application?Support/discord`},
	{Name: "notes, files of clouds, remote desktops, networks", Secrets: `.config/obsidian .config/Notion .config/joplin .config/joplin-desktop .config/Standard?Notes .config/logseq .dropbox .config/dropbox .config/Nextcloud .local/share/Nextcloud .config/insync .config/syncthing .local/state/syncthing .config/megasync
		.local/share/data/Mega?Limited .config/remmina .local/share/remmina .config/freerdp .vnc .config/tigervnc .config/anydesk .anydesk .config/teamviewer .config/rustdesk .config/filezilla .config/FileZilla .config/gftp .ncftp .lftp .config/lftp .local/share/lftp .mobaxterm .config/NetworkManager .cert/nm-openvpn .openvpn
		.config/wireguard .wireguard .config/protonvpn .config/Proton .cisco .config/mullvad .config/Postman Postman .config/Insomnia .config/Bruno .config/bruno .config/hoppscotch .httpie .config/httpie .config/xh .config/spotify .config/spotify-tui .config/spotifyd .steam .local/share/Steam .config/transmission
		.local/share/gvfs-metadata .local/share/recently-used.xbel .local/share/Trash .thumbnails .cache/thumbnails .local/share/tracker .cache/tracker3 .config/goa-1.0 .local/share/gnome-online-accounts .config/monitors.xml Library/Application?Support/1Password Library/Application?Support/Dropbox`},
	{Name: "the display", Secrets: ".Xauthority .ICEauthority .serverauth .config/pulse/cookie .pulse-cookie .dbus", Obeyed: ".xinitrc .xprofile .xsession .config/autostart", Why: "a session starts what is there"},
	{Name: "histories, into which people type passwords", Secrets: `.bash_history .zsh_history .zsh_sessions .bash_sessions .zhistory .histfile .sh_history .ksh_history .ash_history .history .local/share/xonsh .local/share/atuin .config/atuin .config/mcfly .local/share/mcfly
		.psql_history .mysql_history .mariadb_history .sqlite_history .rediscli_history .duckdb_history .cqlsh_history .mongo_history .python_history .ipython/profile_default/history.sqlite .node_repl_history .bun_repl_history .deno_history.txt .irb_history .pry_history .php_history .Rhistory .ghc/ghci_history .scala_history
		.jshell .julia/logs .lesshst .viminfo .vim/viminfo .local/state/vim .local/state/nvim .local/share/nvim/shada .gdb_history .octave_hist .units_history .calc_history .local/state/bash .local/state/zsh .local/state/less .config/asciinema .local/share/recordings .local/share/zoxide .z .local/share/autojump`},
	{Name: "terminals", Why: "they run what their settings bind", Secrets: ".config/warp-terminal .warp .local/state/warp-terminal .config/hyper .config/Tabby .tmux/resurrect .local/share/tmux/resurrect", Obeyed: ".tmux.conf .screenrc"},

	// Shells, editors, hooks: what runs without a person asking for it.
	{Name: "shells", Why: "a shell runs them when it starts or ends", Secrets: `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_env .bashrc.d .profile .zshrc .zshenv .zprofile .zlogin .zlogout .zsh .oh-my-zsh/custom .config/zsh .kshrc .mkshrc .cshrc .tcshrc .login .config/fish .local/share/fish .config/nushell .local/share/nushell .xonshrc .config/xonsh .elvish .config/elvish .local/state/elvish
		.config/powershell .local/share/powershell .config/environment.d .pam_environment .env .envrc .secrets .secret .tokens .credentials .aliases .exports .extra .localrc .private`,
		Obeyed: ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .inputrc .config/fish .pam_environment"},
	{Name: "what enters a directory with a shell", Why: "it sets up an environment, and so runs what is there", Secrets: ".config/direnv .local/share/direnv .config/mise/config.local.toml",
		Obeyed: ".envrc .tool-versions .mise.toml mise.toml .mise.local.toml mise.local.toml .rtx.toml .mise mise/config.toml .config/mise .config/mise.toml .shadowenv.d .autoenv .autoenv.zsh .autoenv_leave.zsh"},
	{Name: "Visual Studio Code", Why: "it runs tasks and starts programs that its settings name", Secrets: ".config/Code .config/Code?-?Insiders .config/Code?-?OSS .config/VSCodium .vscode .vscode-oss .vscode-server .vscode-remote .vscode-cli .local/share/code-server .config/code-server Library/Application?Support/Code",
		Obeyed: ".vscode *.code-workspace .vscode-server"},
	{Name: "JetBrains", Why: "it runs configurations, and tools that watch files", Secrets: ".config/JetBrains .local/share/JetBrains .cache/JetBrains .config/Google/AndroidStudio .java/.userPrefs Library/Application?Support/JetBrains", Obeyed: ".idea .run .fleet"},
	{Name: "Visual Studio", Why: "it runs tasks of directories and starts programs", Obeyed: ".vs"},
	{Name: "Zed", Why: "it runs tasks and starts language servers that its settings name", Secrets: ".config/zed .local/share/zed", Obeyed: ".zed"},
	{Name: "Helix", Why: "it starts language servers that its settings name", Obeyed: ".helix"},
	{Name: "Vim", Why: "it runs the settings of a directory, with exrc", Secrets: ".netrwhist", Obeyed: ".vim .vimrc .gvimrc .exrc .nvimrc .nvim.lua .nvim .lvimrc .local.vimrc .ycm_extra_conf.py"},
	{Name: "Emacs", Why: "it evaluates the settings of a directory", Secrets: ".emacs.d/auth .emacs.d/recentf .emacs.d/history", Obeyed: ".dir-locals.el .dir-locals-2.el"},
	{Name: "Sublime Text, Nova, Eclipse", Why: "they run build systems, tasks and builders that are named there", Secrets: ".config/sublime-text .config/sublime-text-3 .config/sublime-merge .eclipse", Obeyed: "*.sublime-project *.sublime-build .nova .externaltoolbuilders"},
	{Name: "debuggers", Why: "they run the commands of a file in the directory", Obeyed: ".gdbinit .lldbinit .pdbrc .rdbgrc .rdbgrc.rb .byebugrc .perldb"},
	{Name: "interpreters that talk", Why: "they run a file of the directory when they start", Obeyed: ".pryrc .irbrc .rprofile .renviron .iex.exs .ghci .ocamlinit .utoprc .pythonrc jupyter_server_config.py jupyter_notebook_config.py"},
	{Name: "containers for development", Why: "they run commands when a container starts", Obeyed: ".devcontainer .devcontainer.json devfile.yaml .devfile.yaml .gitpod.yml .replit .idx .codesandbox .stackblitzrc"},
	{Name: "hooks of repositories", Why: "git runs them, or runs a program that runs what they name",
		Obeyed: `.husky .huskyrc .huskyrc.js .huskyrc.json .githooks .git-hooks .pre-commit-config.yaml .pre-commit-config.yml prek.toml .overcommit.yml captainhook.json grumphp.yml .simple-git-hooks.json .simple-git-hooks.js .simple-git-hooks.cjs
		lefthook.yml lefthook.yaml lefthook.toml lefthook.json .lefthook.yml .lefthook.yaml .lefthook.toml .lefthook.json lefthook-local.yml lefthook-local.yaml lefthook-local.toml lefthook-local.json .lefthook-local.yml .lefthook-local.yaml
		.lefthook-local.toml .lefthook-local.json .config/lefthook.yml .config/lefthook.yaml .config/lefthook.toml .config/lefthook.json .lintstagedrc .lintstagedrc.json .lintstagedrc.yaml .lintstagedrc.yml .lintstagedrc.js .lintstagedrc.cjs .lintstagedrc.mjs
		.hg/hgrc .jj/repo/config.toml`},
	{Name: "hosts of builds", Why: "a host of repositories runs them when they are pushed",
		Obeyed: `.github/workflows .github/actions .gitea/workflows .forgejo/workflows .gitlab-ci.yml .gitlab-ci.yaml .gitlab/ci .circleci circle.yml .travis.yml .drone.yml .drone.star .drone.jsonnet .woodpecker .woodpecker.yml .woodpecker.yaml .azure-pipelines azure-pipelines.yml
		azure-pipelines.yaml bitbucket-pipelines.yml appveyor.yml .appveyor.yml .cirrus.yml .cirrus.star .buildkite buildkite.yml .semaphore .teamcity .tekton .harness .codefresh codefresh.yml codemagic.yaml bitrise.yml wercker.yml .build.yml .builds cloudbuild.yaml cloudbuild.yml buildspec.yml
		jenkinsfile .jenkins .screwdriver screwdriver.yaml .vsts-ci.yml`},
	{Name: "systemd", Why: "the person's services", Obeyed: ".config/systemd"},
	{Name: "ripgrep", Why: "its settings name a program for each file", Obeyed: ".ripgreprc"},

	// Tool chains.
	{Name: "git", Why: "git does not commit without a name, and fails if its settings cannot be read", Obeyed: ".gitconfig .config/git", Reads: ".gitconfig .config/git .gitignore .gitignore_global .gitattributes .gitmessage .git-templates .git-template",
		Blanks: []Blank{{".git-credentials", ""}, {".config/git/credentials", ""}}, Secrets: ".cache/git/credential .git-credential-cache"},
	{Name: "programs that were installed for one person", Why: "commands and what they load", Reads: ".local/bin .local/lib .local/libexec .local/opt bin .nix-profile .nix-defexpr .local/state/nix .linuxbrew .guix-profile .pkgx .proto .aqua .asdf .asdfrc .tool-versions .vfox .version-fox .local/share/mise .config/mise .local/state/mise .eget .x-cmd.root",
		Caches: []Cache{{Path: ".cache/mise"}, {Path: ".cache/nix"}}},
	{Name: "fonts and typesetting", Why: "pages and documents are drawn with them", Reads: ".fonts .local/share/fonts .config/fontconfig .texlive texmf .texmf .TinyTeX .texliveonfly .local/share/typst", Caches: []Cache{{Path: ".cache/fontconfig"}, {Path: ".cache/texmf"}, {Path: ".cache/typst"}}},
	{Name: "settings of editors, which formatters read", Why: "builds check the form of code", Reads: ".editorconfig .clang-format .clang-tidy .prettierrc .config/ruff .config/black .config/flake8 .config/pylintrc .config/yamllint .config/rustfmt .rustfmt.toml .shellcheckrc"},
	{Name: "Go", Why: "modules, versions and installed programs", Reads: "go/bin go/pkg sdk .config/go .gvm .goenv .g .goenvs",
		Caches: []Cache{{Path: ".cache/go-build", Set: "GOCACHE", Variable: "GOCACHE", Own: "go-build", Server: "GOCACHEPROG"}, {Path: ".cache/golangci-lint", Variable: "GOLANGCI_LINT_CACHE", Own: "golangci-lint"},
			{Path: "go/pkg/mod", Set: "GOMODCACHE", Variable: "GOMODCACHE", Own: "go-mod", Needed: true}, {Path: ".cache/gopls"}, {Path: ".cache/staticcheck"}}},
	{Name: "Node", Why: "versions, packages that were installed globally, and stores; its settings name programs and code to load", Blanks: []Blank{{".npmrc", ""}, {".yarnrc.yml", ""}, {".bunfig.toml", ""}, {".config/pnpm/rc", ""}, {".config/pnpm/auth.ini", ""}},
		Reads:  ".nvm .volta .fnm .local/share/fnm .n .nodenv .nodebrew .local/share/pnpm .pnpm-store .npm-packages .npm-global .node_modules .yarn .config/yarn/global .yarnrc .bun .deno .local/share/deno .local/state/pnpm .corepack",
		Obeyed: ".npmrc .yarnrc .yarnrc.yml .yarn/releases .yarn/plugins .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js bunfig.toml",
		Caches: []Cache{{Path: ".npm", Variable: "npm_config_cache", Own: "npm"}, {Path: ".cache/yarn", Variable: "YARN_CACHE_FOLDER", Own: "yarn"}, {Path: ".cache/pnpm"}, {Path: ".cache/node"}, {Path: ".cache/node-gyp"}, {Path: ".node-gyp"},
			{Path: ".cache/deno"}, {Path: ".cache/typescript"}, {Path: ".cache/electron"}, {Path: ".cache/Cypress"}, {Path: ".cache/ms-playwright"}, {Path: ".cache/puppeteer"}, {Path: ".cache/prisma"}, {Path: ".cache/turbo"}, {Path: ".cache/esbuild"}, {Path: ".cache/selenium"}, {Path: ".cache/bower"}}},
	{Name: "Python", Why: "versions, environments and packages of the person", Blanks: []Blank{{".pypirc", ""}, {".config/pypoetry/auth.toml", ""}}, Secrets: ".local/share/uv/credentials .config/uv/credentials.toml .config/hatch .local/share/python_keyring .jupyter .local/share/jupyter/runtime",
		Reads:  ".pyenv .rye .pixi .conda .condarc miniconda3 anaconda3 miniforge3 mambaforge micromamba .micromamba .virtualenvs .local/pipx .local/share/pipx .local/share/uv .local/share/virtualenvs .local/share/hatch .local/share/pdm .local/share/jupyter .config/uv/uv.toml .config/pip .pip .config/pypoetry/config.toml .config/matplotlib .ipython/profile_default/startup nltk_data",
		Obeyed: ".pypirc .pylintrc pylintrc",
		Caches: []Cache{{Path: ".cache/pip", Variable: "PIP_CACHE_DIR", Own: "pip"}, {Path: ".cache/uv", Variable: "UV_CACHE_DIR", Own: "uv"}, {Path: ".cache/pypoetry"}, {Path: ".cache/pdm"}, {Path: ".cache/hatch"}, {Path: ".cache/pipenv"}, {Path: ".cache/pre-commit"}, {Path: ".cache/prek"},
			{Path: ".cache/black"}, {Path: ".cache/ruff"}, {Path: ".cache/matplotlib"}, {Path: ".cache/torch"}, {Path: ".cache/rattler"}, {Path: ".cache/jedi"}, {Path: ".cache/pylint"}, {Path: ".cache/pre_commit"}, {Path: ".cache/Cython"}, {Path: ".cache/numba"}}},
	{Name: "Rust", Why: "versions, installed programs and crates; a tree names the tool chain and programs that cargo starts", Blanks: []Blank{{".cargo/credentials", ""}, {".cargo/credentials.toml", ""}},
		Reads:  ".cargo/bin .cargo/registry .cargo/git .cargo/config .cargo/config.toml .cargo/env .rustup .cargo/.global-cache .cargo/.package-cache .cargo/.crates.toml .cargo/.crates2.json",
		Obeyed: ".cargo/config .cargo/config.toml rust-toolchain rust-toolchain.toml",
		Caches: []Cache{{Path: ".cargo/registry", Variable: "CARGO_HOME", Own: "cargo", Needed: true, Moves: ".cargo"}, {Path: ".cargo/git", Needed: true}, {Path: ".cache/sccache"}}},
	{Name: "Java", Why: "versions, artifacts and daemons; a tree names code that Maven loads and how its virtual machine starts", Blanks: []Blank{{".gradle/gradle.properties", ""}, {".ivy2/.credentials", ""}, {".sbt/.credentials", ""}, {".m2/settings.xml", "<settings/>\n"}, {".m2/settings-security.xml", "<settingsSecurity/>\n"}},
		Secrets: ".config/coursier/credentials.properties .keystore .gradle/gradle-encrypted.properties .jdk-keystore", Reads: ".sdkman .jdks .jenv .jabba .m2/repository .m2/wrapper .m2/toolchains.xml .m2/extensions.xml .mavenrc .gradle/wrapper .gradle/caches .gradle/init.gradle .gradle/init.d .gradle/jdks .ivy2 .sbt .lein .konan .local/share/coursier .config/coursier .groovy .openjfx",
		Obeyed: ".mvn .sbtopts .jvmopts",
		Caches: []Cache{{Path: ".m2", Variable: "MAVEN_OPTS", Own: "m2", Needed: true, Format: "-Dmaven.repo.local=%s/repository"}, {Path: ".gradle", Variable: "GRADLE_USER_HOME", Own: "gradle", Needed: true}, {Path: ".cache/coursier"}, {Path: ".cache/kotlin"}, {Path: ".cache/mill"}}},
	{Name: "C and C++", Why: "compilers' caches and packages", Secrets: ".conan2/credentials.json .conan/.conan.db", Reads: ".conan2 .conan .vcpkg .ccache .config/ccache .xmake .local/share/xmake .emscripten .emsdk .platformio .arduino15 .espressif",
		Caches: []Cache{{Path: ".cache/ccache", Variable: "CCACHE_DIR", Own: "ccache"}, {Path: ".cache/vcpkg"}, {Path: ".cache/zig"}, {Path: ".cache/bazel"}, {Path: ".cache/bazelisk"}, {Path: ".cache/clangd"}, {Path: ".cache/meson"}, {Path: ".cache/conan"}}},
	{Name: "Bazel", Why: "its settings name programs", Secrets: ".bazelrc", Obeyed: ".bazelrc .bazeliskrc"},
	{Name: "Ruby", Why: "versions and gems", Blanks: []Blank{{".gem/credentials", "--- {}\n"}, {".local/share/gem/credentials", "--- {}\n"}, {".bundle/config", "--- {}\n"}}, Reads: ".rbenv .rvm .rubies .gem .local/share/gem .bundle .local/share/rbenv", Caches: []Cache{{Path: ".cache/bundle"}, {Path: ".cache/rubocop_cache"}}},
	{Name: "PHP", Why: "versions and packages", Blanks: []Blank{{".composer/auth.json", "{}\n"}, {".config/composer/auth.json", "{}\n"}}, Reads: ".phpenv .phpbrew .composer/vendor .composer/cache .config/composer/vendor .config/herd-lite/bin", Caches: []Cache{{Path: ".cache/composer"}, {Path: ".composer/cache"}}},
	{Name: ".NET", Why: "versions and packages, and NuGet's settings, without which it does not run; a tree names the tool chain that starts", Blanks: []Blank{{".nuget/NuGet/NuGet.Config", "<configuration/>\n"}, {".config/NuGet/NuGet.Config", "<configuration/>\n"}},
		Secrets: ".aspnet .microsoft/usersecrets", Reads: ".dotnet .nuget/packages .nuget/plugins .local/share/NuGet .templateengine", Obeyed: "global.json"},
	{Name: "Erlang and Elixir", Why: "versions and packages", Blanks: []Blank{{".hex/hex.config", ""}, {".config/hex/hex.config", ""}}, Secrets: ".erlang.cookie", Reads: ".mix .hex .kerl .kiex", Caches: []Cache{{Path: ".cache/rebar3"}, {Path: ".cache/hex"}, {Path: ".cache/mix"}}},
	{Name: "Dart and Flutter", Why: "versions and packages", Secrets: ".config/dart/pub-credentials.json .pub-cache/credentials.json", Reads: ".pub-cache .puro fvm .fvm flutter .config/dart .config/flutter"},
	{Name: "Haskell", Why: "versions and packages", Secrets: ".cabal/credentials .stack/hackage", Reads: ".ghcup .cabal .stack .ghc .local/state/cabal .config/cabal", Caches: []Cache{{Path: ".cache/cabal"}}},
	{Name: "other languages", Why: "versions and packages", Secrets: ".julia/servers .swiftpm/security .luarocks/upload_config.lua .nimble/github_api_token .elm/secrets",
		Reads:  ".opam .elan .juliaup .julia .swiftpm .swiftenv .swiftly .local/share/swiftly .nimble .choosenim perl5 .perlbrew .plenv .cpan .cpanm .luarocks .luaver .luvit R .zvm .zig .dub dlang .vmodules .elm .ponyup .raku .rakubrew .racket .local/share/racket .roswell quicklisp .crenv .wasmtime .wasmer .wasmedge .moon .gleam",
		Caches: []Cache{{Path: ".cache/crystal"}, {Path: ".cache/dub"}, {Path: ".cache/gleam"}, {Path: ".cache/dune"}, {Path: ".cache/wasmtime"}}},
}
