package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The sources, by the client that downloads them. Debian's are those of bookworm;
// which are left out of the mirror is said, and no failure.
const (
	debianSources = `golang-github-spf13-cobra golang-github-gorilla-mux golang-logrus jinja2 node-commander node-redux libcommons-lang3-java
		commons-io libcommons-codec-java zlib lua5.4 tmux jq fmtlib leveldb spdlog re2 pugixml dbus-sharp newtonsoft-json rust-clap
		php-monolog phpunit php-twig composer`
	debianPackages = `libruby3.1 rake ruby-rack ruby-sinatra jekyll ruby-mustermann ruby-i18n ruby-activesupport`
	npmPackages    = `rxjs@7.8.2 zod@4.6.7 express@5.3.0 async@3.2.6 eslint@10.15.0 immer@11.2.10 redux@5.0.1`
	pythonPackages = `flask==3.1.3 requests==2.34.2 attrs==26.1.0 django==5.2.19`
	crates         = "regex = \"=1.13.2\"\nrayon = \"=1.12.0\"\nhyper = \"=0.14.32\"\nserde_json = \"=1.0.154\"\n"
)

// fetch downloads the sources into a directory, unless an earlier run has.
func fetch(dir string) error {
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	for _, name := range []string{"src", "x", "lists/partial", "archives", "crate/src"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		what string
		get  func(string) error
	}{
		{"sources of Debian: " + strings.Join(strings.Fields(debianSources), " "), sources},
		{"packages of Debian: " + debianPackages, packages},
		{"npm: " + npmPackages, npm},
		{"PyPI: " + pythonPackages, python},
		{"crates.io: " + strings.ReplaceAll(strings.TrimSpace(crates), "\n", ", ") + " and what they need", cargo},
	} {
		fmt.Println("downloading from", part.what)
		if err := part.get(dir); err != nil {
			return err
		}
	}
	return os.WriteFile(done, nil, 0o644)
}

// run starts a program in a directory, with further variables.
func run(dir string, env []string, argv ...string) error {
	cmd := exec.CommandContext(context.Background(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", argv[0], err, out)
	}
	return nil
}

// sources gets Debian's sources with lists of packages of their own, as few machines
// have those of sources.
func sources(dir string) error {
	list := filepath.Join(dir, "sources.list")
	config := filepath.Join(dir, "apt.conf")
	const debian = "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main\n"
	if err := os.WriteFile(list, []byte(debian), 0o644); err != nil {
		return err
	}
	settings := fmt.Sprintf("Dir::Etc::SourceList %q;\nDir::Etc::SourceParts \"/dev/null\";\nDir::State::Lists %q;\nDir::Cache::pkgcache \"\";\nDir::Cache::srcpkgcache \"\";\n",
		list, filepath.Join(dir, "lists"))
	if err := os.WriteFile(config, []byte(settings), 0o644); err != nil {
		return err
	}
	env := []string{"APT_CONFIG=" + config}
	if err := run(dir, env, "apt-get", "-qq", "update"); err != nil {
		return err
	}
	archives := filepath.Join(dir, "archives")
	for name := range strings.FieldsSeq(debianSources) {
		if err := run(archives, env, "apt-get", "-qq", "source", "--download-only", name); err != nil {
			fmt.Println("  left out:", name)
		}
	}
	return unpack(archives, "*.orig.tar.*", func(path string) error {
		name, _, _ := strings.Cut(filepath.Base(path), ".tar.")
		into := filepath.Join(dir, "src", name)
		if err := os.MkdirAll(into, 0o755); err != nil || strings.HasSuffix(path, ".asc") {
			return err
		}
		return run(dir, nil, "tar", "-xf", path, "-C", into, "--strip-components=1")
	})
}

func packages(dir string) error {
	into := filepath.Join(dir, "deb")
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	if err := run(into, nil, append([]string{"apt-get", "-qq", "download"}, strings.Fields(debianPackages)...)...); err != nil {
		return err
	}
	return unpack(into, "*.deb", func(path string) error {
		return run(dir, nil, "dpkg-deb", "-x", path, filepath.Join(dir, "x", strings.TrimSuffix(filepath.Base(path), ".deb")))
	})
}

func npm(dir string) error {
	into := filepath.Join(dir, "npm")
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	if err := run(into, nil, append([]string{"npm", "pack", "--silent"}, strings.Fields(npmPackages)...)...); err != nil {
		return err
	}
	return unpack(into, "*.tgz", func(path string) error {
		out := filepath.Join(dir, "x", strings.TrimSuffix(filepath.Base(path), ".tgz"))
		if err := os.MkdirAll(out, 0o755); err != nil {
			return err
		}
		return run(dir, nil, "tar", "-xzf", path, "-C", out)
	})
}

func python(dir string) error {
	into := filepath.Join(dir, "pip")
	args := append([]string{"pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", into}, strings.Fields(pythonPackages)...)
	if err := run(dir, nil, args...); err != nil {
		return err
	}
	return unpack(into, "*.whl", func(path string) error {
		return run(dir, nil, "python3", "-m", "zipfile", "-e", path, filepath.Join(dir, "x", strings.TrimSuffix(filepath.Base(path), ".whl")))
	})
}

func cargo(dir string) error {
	crate := filepath.Join(dir, "crate")
	manifest := "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2018\"\n[dependencies]\n" + crates
	if err := os.WriteFile(filepath.Join(crate, "Cargo.toml"), []byte(manifest), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(crate, "src", "lib.rs"), nil, 0o644); err != nil {
		return err
	}
	return run(crate, []string{"CARGO_HOME=" + filepath.Join(dir, "cargohome")}, "cargo", "fetch", "-q")
}

// unpack calls a function for each archive in a directory.
func unpack(dir, pattern string, one func(path string) error) error {
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		return err
	}
	for _, path := range found {
		if err := one(path); err != nil {
			return err
		}
	}
	return nil
}
