package sandbox

import "path/filepath"

// Secrets returns the files and directories that usually hold keys and tokens, for the
// home directory of a person. A profile may name paths that do not exist.
func Secrets(home string) []string {
	all := []string{"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d",
		"/etc/ssl/private", "/etc/krb5.keytab", "/run/secrets", "/var/lib/docker", "/var/lib/kubelet"}
	if home == "" {
		return all
	}
	for _, name := range [...]string{
		".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gh", ".config/gcloud", ".config/hub", ".config/glab-cli",
		".config/op", ".config/sops", ".config/containers/auth.json", ".netrc", ".git-credentials", ".config/git/credentials",
		".pypirc", ".pgpass", ".my.cnf", ".password-store", ".local/share/keyrings", ".vault-token", ".terraform.d/credentials.tfrc.json",
		".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml", ".gradle/gradle.properties", ".mozilla", ".config/google-chrome",
		".config/chromium", ".config/BraveSoftware", ".thunderbird", ".bash_history", ".zsh_history", ".python_history", ".psql_history",
		".claude", ".codex", ".gemini", ".config/github-copilot", "Library/Keychains", "Library/Cookies",
		"Library/Application Support/Google/Chrome", "Library/Application Support/Firefox",
	} {
		all = append(all, filepath.Join(home, filepath.FromSlash(name)))
	}
	return all
}
