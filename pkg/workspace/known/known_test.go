package known

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBlanks has the secrets in whose place builds read an empty file.
func TestBlanks(t *testing.T) {
	for path, want := range map[string]string{"/home/me/.npmrc": "", "/home/me/.m2/settings.xml": "<settings/>\n", "/home/me/.gem/credentials": "--- {}\n"} {
		if text, ok := BlankText(path); !ok || text != want {
			t.Errorf("%s: %q, %t", path, text, ok)
		}
	}
	for _, path := range []string{"/home/me/.ssh/id_rsa", "/home/me/x.npmrc", ".npmrc", "/home/me/.npmrc/x", "/home/me/credentials"} {
		if text, ok := BlankText(path); ok {
			t.Errorf("%s: %q", path, text)
		}
	}
}

// TestTable has rows that are well formed: an obeyed name is found in lower case and has
// its mechanism, and no path is absolute by accident.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, row := range Programs() {
		if row.Name == "" || names[row.Name] {
			t.Errorf("%q: no name of its own", row.Name)
		}
		names[row.Name] = true
		if row.Why == "" && row.Obeyed+row.Reads != "" {
			t.Errorf("%s: no reason", row.Name)
		}
		if row.Obeyed != strings.ToLower(row.Obeyed) {
			t.Errorf("%s: obeyed names are in lower case", row.Name)
		}
		for name := range strings.FieldsSeq(row.Secrets + " " + row.Reads + " " + row.Obeyed) {
			if name != filepath.ToSlash(filepath.Clean(name)) || name == "." || strings.HasPrefix(name, "..") {
				t.Errorf("%s: %s", row.Name, name)
			}
		}
		for _, c := range row.Caches {
			if c.Variable != "" && c.Own == "" {
				t.Errorf("%s: %s is moved to nowhere", row.Name, c.Path)
			}
			// In the directory of all caches, a name of two parts could lead through what a command made.
			if rest, ok := strings.CutPrefix(c.Path, ".cache/"); ok && strings.Contains(rest, "/") {
				t.Errorf("%s: %s", row.Name, c.Path)
			}
		}
	}
	for what, all := range map[string][]string{"obeyed": Obeyed(), "secret": At("/home/me").Secrets(), "read": At("/home/me").Reads()} {
		slices.Sort(all)
		for i, name := range all[1:] {
			if name == all[i] {
				t.Errorf("%s is %s twice", name, what)
			}
		}
	}
}

// TestMoved follows the variables that move a part of a home directory.
func TestMoved(t *testing.T) {
	p := At("/home/me", "XDG_CONFIG_HOME=/data/config", "CARGO_HOME=/rust/cargo", "GOPATH=/g1:/g2", "XDG_CACHE_HOME=relative")
	if filepath.Separator != '/' {
		t.Skip("paths of Unix")
	}
	for name, want := range map[string]string{
		".config/gh": "/data/config/gh /home/me/.config/gh", ".cargo/bin": "/rust/cargo/bin /home/me/.cargo/bin", "go/pkg": "/g1/pkg /g2/pkg /home/me/go/pkg", "gopher": "/home/me/gopher",
		".cache/pip": "/home/me/.cache/pip", "/etc/shadow": "/etc/shadow", ".config/Ledger?Live": "/data/config/Ledger Live /home/me/.config/Ledger Live",
	} {
		if got := strings.Join(p.Paths(name), " "); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := p.Moved(); !slices.Equal(got, []string{"/data/config"}) {
		t.Errorf("%q", got)
	}
	secrets := p.Secrets()
	for _, want := range []string{"/data/config/gh", "/home/me/.config/gh", "/rust/cargo/credentials.toml", "/home/me/.ssh", "/home/me/.config/Bitwarden CLI", "/etc/shadow"} {
		if !slices.Contains(secrets, want) {
			t.Errorf("%s is no secret", want)
		}
	}
	if got := At("").Secrets(); slices.ContainsFunc(got, func(path string) bool {
		return !strings.HasPrefix(path, "/etc/") && !strings.HasPrefix(path, "/run/") && !strings.HasPrefix(path, "/var/")
	}) {
		t.Errorf("without a home: %q", got)
	}
}

func BenchmarkSecrets(b *testing.B) {
	p := At("/home/me", "XDG_CONFIG_HOME=/data/config", "CARGO_HOME=/rust/cargo")
	for b.Loop() {
		p.Secrets()
	}
}
