package known

import "slices"

// Registry describes the source of the packages of an ecosystem. Settings may name another.
type Registry struct {
	Name     string   // of the ecosystem
	Programs []string // that fetch from there
	Hosts    []string
	Options  []string // that name another place
	Source   string   // that documents the hosts
}

// Registries returns the registries, by the names that a person chooses them by.
func Registries() []Registry {
	return []Registry{
		{"npm", []string{"npm", "npx", "pnpm", "pnpx"}, []string{"registry.npmjs.org"}, []string{"--registry"},
			"https://docs.npmjs.com/cli/v11/using-npm/config#registry"},
		{"yarn", []string{"yarn"}, []string{"registry.yarnpkg.com", "registry.npmjs.org"}, []string{"--registry"},
			"https://yarnpkg.com/configuration/yarnrc#npmRegistryServer"},
		{"pip", []string{"pip", "pip3", "pipx", "uv", "uvx"}, []string{"pypi.org", "files.pythonhosted.org"}, []string{"--index-url", "-i", "--default-index"},
			"https://pip.pypa.io/en/stable/cli/pip_install/#cmdoption-0"},
		{"cargo", []string{"cargo"}, []string{"index.crates.io", "static.crates.io"}, []string{"--index"},
			"https://doc.rust-lang.org/cargo/reference/registry-index.html"},
		{"go", []string{"go"}, []string{"proxy.golang.org", "sum.golang.org"}, nil, "https://go.dev/ref/mod#environment-variables"},
		{"maven", []string{"mvn", "mvnw"}, []string{"repo.maven.apache.org", "repo1.maven.org"}, nil,
			"https://maven.apache.org/guides/introduction/introduction-to-the-pom.html#super-pom"},
		{"gradle", []string{"gradle", "gradlew"}, []string{"services.gradle.org", "plugins.gradle.org", "plugins-artifacts.gradle.org", "repo.maven.apache.org"}, nil,
			"https://docs.gradle.org/current/userguide/plugins.html"},
		{"apt", []string{"apt", "apt-get"}, []string{"deb.debian.org", "security.debian.org", "archive.ubuntu.com", "security.ubuntu.com", "ports.ubuntu.com"}, nil,
			"https://wiki.debian.org/SourcesList"},
	}
}

// RegistryOf returns the registry that a program fetches from.
func RegistryOf(program string) (Registry, bool) {
	all := Registries()
	i := slices.IndexFunc(all, func(r Registry) bool { return slices.Contains(r.Programs, program) })
	if i < 0 {
		return Registry{}, false
	}
	return all[i], true
}
