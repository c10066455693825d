//go:build linux

package linux

import (
	"path/filepath"
	"strings"
)

// blanks are the secret files that builds read as their settings and of which they
// need none. Programs that end with an error when they may not read them, such as
// yarn, maven and NuGet, find one without settings where it can be covered.
var blanks = [...]struct{ name, text string }{
	{".npmrc", ""}, {".yarnrc.yml", ""}, {".bunfig.toml", ""}, {".hex/hex.config", ""}, {".config/hex/hex.config", ""},
	{".config/pnpm/rc", ""}, {".config/pnpm/auth.ini", ""}, {".cargo/credentials", ""},
	{".cargo/credentials.toml", ""}, {".pypirc", ""}, {".config/pypoetry/auth.toml", ""}, {".netrc", ""}, {"_netrc", ""}, {".git-credentials", ""},
	{".config/git/credentials", ""}, {".terraformrc", ""}, {".boto", ""}, {".my.cnf", ""}, {".gem/credentials", "--- {}\n"},
	{".local/share/gem/credentials", "--- {}\n"}, {".composer/auth.json", "{}\n"}, {".config/composer/auth.json", "{}\n"},
	{".gradle/gradle.properties", ""}, {".ivy2/.credentials", ""}, {".sbt/.credentials", ""}, {".m2/settings.xml", "<settings/>\n"},
	{".m2/settings-security.xml", "<settingsSecurity/>\n"}, {".nuget/NuGet/NuGet.Config", "<configuration/>\n"},
	{".config/NuGet/NuGet.Config", "<configuration/>\n"},
}

// blankText returns the text that programs may read in place of a secret file; ok is false
// for one that they may not read at all.
func blankText(path string) (text string, ok bool) {
	path = filepath.ToSlash(path)
	for _, b := range blanks {
		if rest, found := strings.CutSuffix(path, b.name); found && strings.HasSuffix(rest, "/") {
			return b.text, true
		}
	}
	return "", false
}
