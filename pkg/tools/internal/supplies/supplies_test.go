package supplies

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	goMod = "module m\n\ngo 1.26\n\nrequire (\n\texample.com/Here v1.0.0\n\texample.com/there v1.2.0\n\texample.com/untouched v0.1.0 // indirect\n\tx.org/local v1.0.0\n)\n\nreplace x.org/local => ./local\n"
	goSum = "example.com/Here v1.0.0 h1:a=\nexample.com/Here v1.0.0/go.mod h1:a=\nexample.com/there v1.2.0 h1:b=\nexample.com/untouched v0.1.0/go.mod h1:c=\nx.org/local v1.0.0 h1:d=\n"

	cargoToml = "[package]\nname = \"m\"\nversion = \"0.1.0\"\n\n[dependencies]\nserde = \"1\"\nlocal = { path = \"local\" }\nmaybe = { version = \"1\", optional = true }\n\n[dev-dependencies]\ntester = \"2\"\n\n[target.'cfg(windows)'.dependencies]\nwinapi = \"0.3\"\n"
	cargoLock = "version = 3\n\n[[package]]\nname = \"m\"\nversion = \"0.1.0\"\ndependencies = [\"serde\"]\n\n[[package]]\nname = \"serde\"\nversion = \"1.0.1\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n[[package]]\nname = \"inner\"\nversion = \"0.3.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n[[package]]\nname = \"tester\"\nversion = \"2.0.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n[[package]]\nname = \"winapi\"\nversion = \"0.3.9\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n"

	wrapper  = "distributionBase=GRADLE_USER_HOME\ndistributionPath=wrapper/dists\ndistributionUrl=https\\://services.gradle.org/distributions/gradle-8.5-bin.zip\nzipStorePath=wrapper/dists\n"
	unpacked = "home/.gradle/wrapper/dists/gradle-8.5-bin/5t9/gradle-8.5-bin.zip.ok"
	modules  = "home/.gradle/caches/modules-2/files-2.1/"
	gradle   = "plugins {\n  id 'java'\n  id 'com.example.tool' version '1.2'\n}\ndependencies {\n  implementation 'org.x:used:2.0' // \"no:no:1\"\n  implementation project(':sub')\n}\n"

	pom = `<project><groupId>org.own</groupId><artifactId>m</artifactId><version>1</version><properties><junit.version>4.13</junit.version></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>${junit.version}</version></dependency>
<dependency><groupId>org.own</groupId><artifactId>sibling</artifactId><version>1</version></dependency>
<dependency><groupId>managed</groupId><artifactId>managed</artifactId></dependency></dependencies></project>`
)

// tree makes files in a directory.
func tree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLacks(t *testing.T) {
	plugins := map[string]string{}
	for _, name := range []string{"resources", "compiler", "surefire"} {
		plugins["home/.m2/repository/org/apache/maven/plugins/maven-"+name+"-plugin/3.1/maven-"+name+"-plugin-3.1.pom"] = ""
	}
	const registry = "home/.cargo/registry/"
	for _, c := range []struct {
		what    string
		command string
		files   map[string]string // of work, the working directory, and of home
		env     map[string]string
		lacks   string // "" for nothing
	}{
		{what: "the distribution of the wrapper", command: "./gradlew test", files: map[string]string{"work/gradle/wrapper/gradle-wrapper.properties": wrapper}, lacks: "gradle-8.5-bin.zip"},
		{what: "the distribution of the wrapper above", command: "../gradlew.bat build", files: map[string]string{"gradle/wrapper/gradle-wrapper.properties": wrapper}, lacks: "gradle-8.5-bin.zip"},
		{what: "nothing offline", command: "./gradlew --offline test", files: map[string]string{"work/gradle/wrapper/gradle-wrapper.properties": wrapper, "work/build.gradle": gradle}},
		{what: "nothing with the distribution", command: "./gradlew test", files: map[string]string{"work/gradle/wrapper/gradle-wrapper.properties": wrapper, unpacked: ""}},
		{what: "the distribution, half of it there", command: "./gradlew test", files: map[string]string{"work/gradle/wrapper/gradle-wrapper.properties": wrapper, "home/.gradle/wrapper/dists/gradle-8.5-bin/5t9/gradle-8.5-bin.zip.part": ""}, lacks: "gradle-8.5-bin.zip"},
		{what: "a plugin", command: "./gradlew test", files: map[string]string{"work/gradle/wrapper/gradle-wrapper.properties": wrapper, unpacked: "", "work/build.gradle": gradle}, lacks: "com.example.tool:com.example.tool.gradle.plugin:1.2"},
		{what: "a library", command: "gradle test", files: map[string]string{"work/build.gradle": gradle, modules + "com.example.tool/com.example.tool.gradle.plugin/1.2/f": ""}, lacks: "org.x:used:2.0"},
		{what: "the library of tests, in Kotlin", command: "gradle test", files: map[string]string{"work/app/build.gradle.kts": "dependencies {\n  testImplementation(\"org.junit:junit:5\")\n}\n"}, lacks: "org.junit:junit:5"},
		{what: "nothing that is here", command: "gradle test", files: map[string]string{"work/build.gradle": gradle, modules + "com.example.tool/com.example.tool.gradle.plugin/1.2/f": "", modules + "org.x/used/2.0/f": ""}},
		{what: "nothing in another home", command: "gradle -g x test", files: map[string]string{"work/build.gradle": gradle}},
		{what: "a library for a home of its own", command: "gradle test", env: map[string]string{"GRADLE_USER_HOME": "own"}, files: map[string]string{"work/build.gradle": gradle, modules + "org.x/used/2.0/f": "", "work/own/caches/modules-2/files-2.1/com.example.tool/com.example.tool.gradle.plugin/1.2/f": ""}, lacks: "org.x:used:2.0"},
		{what: "a library of another directory", command: "gradle -p sub test", files: map[string]string{"work/sub/build.gradle": "api 'a:b:1'"}, lacks: "a:b:1"},
		{what: "nothing that is not written out", command: "gradle test", files: map[string]string{"work/build.gradle": "api \"a:b:$v\"\napi 'a:b:1.+'\napi 'a:b'\n// api 'a:b:1'\nimplementation platform('a:b:1')\nid 'java'\n"}},
		{what: "a module", command: "go build ./...", files: map[string]string{"work/go.mod": goMod, "work/go.sum": goSum}, lacks: "example.com/Here@v1.0.0"},
		{what: "the second module", command: "go test", files: map[string]string{"go.mod": goMod, "go.sum": goSum, "home/go/pkg/mod/example.com/!here@v1.0.0/f": ""}, lacks: "example.com/there@v1.2.0"},
		{what: "no module, as one is packed", command: "go vet", files: map[string]string{"work/go.mod": goMod, "work/go.sum": goSum, "home/go/pkg/mod/example.com/!here@v1.0.0/f": "", "home/go/pkg/mod/cache/download/example.com/there/@v/v1.2.0.zip": ""}},
		{what: "a module of a workspace", command: "go build", files: map[string]string{"work/go.work": "go 1.26\n\nuse ./sub\n", "work/sub/go.mod": goMod, "work/sub/go.sum": goSum}, lacks: "example.com/Here@v1.0.0"},
		{what: "nothing with vendor", command: "go build", files: map[string]string{"work/go.mod": goMod, "work/go.sum": goSum, "work/vendor/modules.txt": ""}},
		{what: "nothing with -mod=vendor", command: "go build", env: map[string]string{"GOFLAGS": "-mod=vendor"}, files: map[string]string{"work/go.mod": goMod, "work/go.sum": goSum}},
		{what: "nothing without requirements", command: "go test ./...", files: map[string]string{"work/go.mod": "module m\n"}},
		{what: "nothing to format", command: "go fmt ./...", files: map[string]string{"work/go.mod": goMod, "work/go.sum": goSum}},
		{what: "a program", command: "go run example.com/x/cmd/y@v1.0.0 -flag", lacks: "example.com/x/cmd/y@v1.0.0"},
		{what: "the latest program", command: "go run example.com/x@latest", files: map[string]string{"home/go/pkg/mod/example.com/x@v1.0.0/f": ""}, lacks: "example.com/x@latest"},
		{what: "no program", command: "go run example.com/x/cmd/y@v1.0.0", files: map[string]string{"home/go/pkg/mod/example.com/x@v1.0.0/f": ""}},
		{what: "a module elsewhere", command: "go build", env: map[string]string{"GOMODCACHE": "/nowhere"}, files: map[string]string{"work/go.mod": goMod, "work/go.sum": goSum, "home/go/pkg/mod/example.com/!here@v1.0.0/f": ""}, lacks: "example.com/Here@v1.0.0"},

		{what: "a crate", command: "cargo build", files: map[string]string{"work/Cargo.toml": cargoToml, "work/Cargo.lock": cargoLock}, lacks: "serde 1.0.1"},
		{what: "a crate of tests", command: "cargo +nightly test", files: map[string]string{"work/Cargo.toml": cargoToml, "work/Cargo.lock": cargoLock, registry + "cache/i/serde-1.0.1.crate": ""}, lacks: "tester 2.0.0"},
		{what: "no crate of tests", command: "cargo build", files: map[string]string{"work/Cargo.toml": cargoToml, "work/Cargo.lock": cargoLock, registry + "cache/i/serde-1.0.1.crate": ""}},
		{what: "a crate of a crate", command: "cargo check", files: map[string]string{"work/Cargo.toml": cargoToml, "work/Cargo.lock": cargoLock, registry + "src/i/serde-1.0.1/Cargo.toml": "[dependencies.inner]\nversion = \"0.3\"\n"}, lacks: "inner 0.3.0"},
		{what: "a new crate", command: "cargo build", files: map[string]string{"work/Cargo.toml": strings.Replace(cargoToml, "serde =", "rand = \"0.8\"\nserde =", 1), "work/Cargo.lock": cargoLock, registry + "cache/i/serde-1.0.1.crate": ""}, lacks: "rand"},
		{what: "a crate without a lock", command: "cargo run", files: map[string]string{"work/Cargo.toml": "[dependencies]\nserde = \"1\"\n"}, lacks: "serde"},
		{what: "a crate of a member", command: "cargo build", files: map[string]string{"Cargo.toml": "[workspace]\nmembers = [\"w*\"]\n", "Cargo.lock": cargoLock, "work/Cargo.toml": cargoToml}, lacks: "serde 1.0.1"},
		{what: "no crate offline", command: "cargo build --offline", files: map[string]string{"work/Cargo.toml": cargoToml, "work/Cargo.lock": cargoLock}},
		{what: "no crate with vendor", command: "cargo build", files: map[string]string{"work/Cargo.toml": cargoToml, "work/Cargo.lock": cargoLock, "work/.cargo/config.toml": "[source.crates-io]\nreplace-with = \"v\"\n"}},
		{what: "no crate at all", command: "cargo test", files: map[string]string{"work/Cargo.toml": "[package]\nname = \"m\"\n"}},
		{what: "no crate of git", command: "cargo build", files: map[string]string{"work/Cargo.toml": "[dependencies]\nx = { git = \"https://e.org/x\" }\n", "work/Cargo.lock": "[[package]]\nname = \"x\"\nversion = \"0.1.0\"\nsource = \"git+https://e.org/x#0123456789abcdef\"\n", "home/.cargo/git/checkouts/x-1/0123456/f": ""}},
		{what: "a crate of git", command: "cargo build", files: map[string]string{"work/Cargo.toml": "[dependencies]\nx = { git = \"https://e.org/x\" }\n", "work/Cargo.lock": "[[package]]\nname = \"x\"\nversion = \"0.1.0\"\nsource = \"git+https://e.org/x#0123456789abcdef\"\n"}, lacks: "x 0.1.0"},

		{what: "a plugin", command: "mvn test", files: map[string]string{"work/pom.xml": pom}, lacks: "maven-resources-plugin"},
		{what: "an artifact", command: "mvn -q test", files: with(plugins, "work/pom.xml", pom), lacks: "junit:junit:4.13"},
		{what: "no artifact", command: "mvn test", files: with(plugins, "work/pom.xml", pom, "home/.m2/repository/junit/junit/4.13/junit-4.13.pom", "")},
		{what: "no artifact offline", command: "mvn -o test", files: map[string]string{"work/pom.xml": pom}},
		{what: "a plugin of another repository", command: "mvn -Dmaven.repo.local=own test", files: with(plugins, "work/pom.xml", pom), lacks: "maven-resources-plugin"},
		{what: "an artifact of a module", command: "mvn compile", files: with(plugins, "work/pom.xml", "<project><modules><module>sub</module></modules></project>", "work/sub/pom.xml", pom), lacks: "junit:junit:4.13"},
		{what: "no artifact for the version", command: "mvn --version"},

		{what: "a package", command: "pip3.11 install x", lacks: "pip install x"},
		{what: "a package in an environment", command: ".venv/bin/pip install -r requirements.txt", lacks: "pip install -r requirements.txt"},
		{what: "a package by python", command: "/opt/venv/bin/python3 -m pip install x", lacks: "pip install x"},
		{what: "no package without an index", command: "pip install --no-index --find-links=w x"},
		{what: "no package to list", command: ".venv/bin/pip list"},
		{what: "nothing for a module", command: "python3 -m unittest x y"},
		{what: "nothing for another program", command: "ls install x"},
	} {
		dir := t.TempDir()
		tree(t, dir, c.files)
		tree(t, dir, map[string]string{"work/.keep": ""})
		why, lacks := Lacks(strings.Fields(c.command), World{
			Dir: filepath.Join(dir, "work"), Home: filepath.Join(dir, "home"), Env: func(name string) string { return c.env[name] },
		})
		if got := why.In(fault.English); lacks != (c.lacks != "") || !strings.Contains(got, c.lacks) {
			t.Errorf("%s: %s lacks %q", c.what, c.command, got)
		}
	}
	if _, lacks := Lacks(nil, World{}); lacks {
		t.Error("no command lacks something")
	}
}

func with(files map[string]string, more ...string) map[string]string {
	all := maps.Clone(files)
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}

// TestPlaces finds what is not in the cache itself.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"work/go.mod": goMod, "work/go.sum": goSum, "one/example.com/!here@v1.0.0/f": "", "two/example.com/there@v1.2.0/f": ""})
	asked := ""
	_, lacks := Lacks([]string{"go", "build"}, World{
		Dir: filepath.Join(dir, "work"), Home: filepath.Join(dir, "home"), Env: func(string) string { return "" },
		Places: func(cache string) []string {
			asked = cache
			return []string{filepath.Join(dir, "one"), filepath.Join(dir, "two")}
		},
	})
	if lacks || asked != filepath.Join(dir, "home", "go", "pkg", "mod") {
		t.Errorf("%v, asked for %s", lacks, asked)
	}
}

// What the project names must not panic, take long or make a path that leads elsewhere.
func FuzzProjects(f *testing.F) {
	f.Add(goMod, goSum)
	f.Add(cargoToml, cargoLock)
	f.Add(gradle, wrapper)
	f.Add(pom, "go 1.26\n\nuse ./x\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, m := range required([]byte(a), []byte(b)) {
			if m.Path == "" || m.Version == "" {
				t.Errorf("%+v", m)
			}
		}
		for _, file := range usedModules([]byte(b), "/work") {
			if !filepath.IsAbs(file) && filepath.Separator == '/' {
				t.Error(file)
			}
		}
		w := World{Dir: "/nowhere", Home: "/nowhere", Env: func(string) string { return "" }, Places: func(dir string) []string {
			if !strings.HasPrefix(filepath.ToSlash(dir), "/nowhere/") {
				t.Errorf("it looks in %s", dir)
			}
			return nil
		}}
		for _, c := range parseGradle([]byte(a)) {
			if strings.ContainsAny(c.group+c.name+c.version, "/\\*?[ ") || c.version == "" {
				t.Errorf("%+v", c)
			}
		}
		wrapperURL([]byte(b))
		c := cargo{World: w, tests: true, locked: parseLock([]byte(b)), seen: map[string]bool{}}
		c.missing(parseManifest([]byte(a)), true)
		m := maven{World: w, repository: "/nowhere/r", left: 1}
		p := parseProject([]byte(a))
		for _, d := range p.Dependencies {
			m.inRepository(d, p.expand(d.Version))
		}
	})
}
