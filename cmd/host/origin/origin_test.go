package origin

import (
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

// files makes a file system of names, each with a text after "=".
func files(all ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, one := range all {
		name, text, _ := strings.Cut(one, "=")
		m[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return m
}

const (
	dpkg   = "var/lib/dpkg/info/helve.list=/.\n/usr\n/usr/bin\n/usr/bin/helve\n"
	record = "helve_tools/__init__.py,sha256=x,1\n../../../bin/helve,sha256=y,2\n"
	apkDB  = "P:musl\nF:lib\nR:libc.so\n\nP:helve\nV:1.2.3\nF:usr\nF:usr/bin\nR:helve\na:0:0:755\nF:usr/share\n\nP:zlib\nF:usr/bin\nR:other\n\n"
)

func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		program  string
		files    []string
		by       By
		evidence string
		command  string // for 1.3.0
	}{
		"deb": {
			"/usr/bin/helve", []string{dpkg}, Deb, "/var/lib/dpkg/info/helve.list",
			"curl -fsSLO https://github.com/helve-dev/helve/releases/download/v1.3.0/helve_1.3.0_amd64.deb && sudo dpkg --install helve_1.3.0_amd64.deb",
		},
		"a copy beside the one that dpkg knows": {
			"/usr/local/bin/helve", []string{dpkg}, Archive, "",
			"curl -fsSL https://github.com/helve-dev/helve/releases/latest/download/install.sh | sh -s -- --dir /usr/local/bin",
		},
		"rpm": {
			"/usr/bin/helve", []string{"usr/share/licenses/helve/LICENSE=MIT", "usr/lib/sysimage/rpm/rpmdb.sqlite="}, RPM, "/usr/lib/sysimage/rpm/rpmdb.sqlite",
			"sudo rpm --upgrade https://github.com/helve-dev/helve/releases/download/v1.3.0/helve-1.3.0-1.x86_64.rpm",
		},
		"a copy on a system of rpm": {
			"/opt/bin/helve", []string{"var/lib/rpm/Packages="}, Archive, "",
			"curl -fsSL https://github.com/helve-dev/helve/releases/latest/download/install.sh | sh -s -- --dir /opt/bin",
		},
		"apk": {
			"/usr/bin/helve", []string{"lib/apk/db/installed=" + apkDB}, APK, "/lib/apk/db/installed",
			"wget https://github.com/helve-dev/helve/releases/download/v1.3.0/helve_1.3.0_x86_64.apk && sudo apk add --allow-untrusted ./helve_1.3.0_x86_64.apk",
		},
		"a copy on a system of apk": {
			"/usr/bin/other", []string{"lib/apk/db/installed=" + apkDB}, Archive, "",
			"curl -fsSL https://github.com/helve-dev/helve/releases/latest/download/install.sh | sh -s -- --dir /usr/bin",
		},
		"a cask":    {"/opt/homebrew/Caskroom/helve/1.2.3/helve", nil, Homebrew, "/opt/homebrew/Caskroom/helve", "brew upgrade --cask helve"},
		"a formula": {"/usr/local/Cellar/helve/1.2.3/bin/helve", nil, Homebrew, "/usr/local/Cellar/helve", "brew upgrade helve"},
		"scoop":     {"/Users/a/scoop/apps/helve/current/helve.exe", nil, Scoop, "/Users/a/scoop/apps/helve", "scoop update helve"},
		"scoop in a directory of another name": {
			"/tools/apps/helve/1.2.3/helve.exe", []string{"tools/apps/helve/1.2.3/manifest.json={}", "tools/apps/helve/1.2.3/install.json={}"},
			Scoop, "/tools/apps/helve/1.2.3/install.json", "scoop update helve",
		},
		"winget": {
			"/Users/a/AppData/Local/Microsoft/WinGet/Packages/HelveDev.Helve_Microsoft.Winget.Source_8wekyb3d8bbwe/helve.exe", nil,
			Winget, "/Users/a/AppData/Local/Microsoft/WinGet/Packages/HelveDev.Helve_", "winget upgrade --exact --id HelveDev.Helve",
		},
		"npm for everybody": {
			"/usr/lib/node_modules/helve/node_modules/@helve/linux-x64/bin/helve", []string{`usr/lib/node_modules/helve/node_modules/@helve/linux-x64/package.json={"name":"@helve/linux-x64"}`},
			NPM, "/usr/lib/node_modules/helve/node_modules/@helve/linux-x64/package.json", "npm install --global helve@latest",
		},
		"npm for a project": {
			"/home/a/app/node_modules/@helve/linux-x64/bin/helve", []string{`home/a/app/node_modules/@helve/linux-x64/package.json={"name":"@helve/linux-x64"}`},
			NPM, "/home/a/app/node_modules/@helve/linux-x64/package.json", "npm install helve@latest",
		},
		"npx": {
			"/home/a/.npm/_npx/0123/node_modules/@helve/linux-x64/bin/helve", []string{`home/a/.npm/_npx/0123/node_modules/@helve/linux-x64/package.json={"name":"@helve/linux-x64"}`},
			NPM, "/home/a/.npm/_npx/0123/node_modules/@helve/linux-x64/package.json", "npx helve@latest",
		},
		"pip in an environment": {
			"/home/a b/venv/bin/helve", []string{"home/a b/venv/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/RECORD=" + record, "home/a b/venv/bin/python="},
			Pip, "/home/a b/venv/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/RECORD", "'/home/a b/venv/bin/python' -m pip install --upgrade helve-tools",
		},
		"pip of Debian": {
			"/usr/local/bin/helve", []string{"usr/local/lib/python3.11/dist-packages/helve_tools-1.2.3.dist-info/RECORD=" + record},
			Pip, "/usr/local/lib/python3.11/dist-packages/helve_tools-1.2.3.dist-info/RECORD", "python3 -m pip install --upgrade helve-tools",
		},
		"pip on Windows": {
			"/py/Scripts/helve.exe", []string{`py/Lib/site-packages/helve_tools-1.2.3.dist-info/RECORD=..\..\Scripts\helve.exe,sha256=y,2`, "py/Scripts/python.exe="},
			Pip, "/py/Lib/site-packages/helve_tools-1.2.3.dist-info/RECORD", "/py/Scripts/python.exe -m pip install --upgrade helve-tools",
		},
		"pip with a target": {
			"/app/vendor/bin/helve", []string{"app/vendor/helve_tools-1.2.3.dist-info/RECORD=" + strings.ReplaceAll(record, "../../../", "../../")},
			Pip, "/app/vendor/helve_tools-1.2.3.dist-info/RECORD", "python3 -m pip install --upgrade helve-tools",
		},
		"pipx": {
			"/home/a/.local/share/pipx/venvs/helve-tools/bin/helve", []string{"home/a/.local/share/pipx/venvs/helve-tools/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/RECORD=" + record},
			Pipx, "/home/a/.local/share/pipx/venvs/helve-tools/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/RECORD", "pipx upgrade helve-tools",
		},
		"a tool of uv": {
			"/home/a/.local/share/uv/tools/helve-tools/bin/helve", []string{"home/a/.local/share/uv/tools/helve-tools/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/RECORD=" + record},
			UV, "/home/a/.local/share/uv/tools/helve-tools/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/RECORD", "uv tool upgrade helve-tools",
		},
		"uv in an environment": {
			"/v/bin/helve", []string{"v/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/RECORD=" + record, "v/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/INSTALLER=uv\n"},
			UV, "/v/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/RECORD", "uv pip install --upgrade helve-tools",
		},
		"a wheel whose program another one has replaced": {
			"/v/bin/helve", []string{"v/lib/python3.12/site-packages/helve_tools-1.2.3.dist-info/RECORD=helve_tools/__init__.py,,\n"}, Archive, "",
			"curl -fsSL https://github.com/helve-dev/helve/releases/latest/download/install.sh | sh -s -- --dir /v/bin",
		},
		"the image": {"/usr/local/bin/helve", []string{"usr/share/helve/image=ghcr.io/helve-dev/helve\n"}, Container, "/usr/share/helve/image", "docker pull ghcr.io/helve-dev/helve"},
		"in the root directory": {
			"/helve", nil, Archive, "", "curl -fsSL https://github.com/helve-dev/helve/releases/latest/download/install.sh | sh -s -- --dir /",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if filepath.Separator != '/' && c.by == Archive {
				t.Skip("directories are written otherwise")
			}
			o := Find(Copy{Program: c.program, Root: files(c.files...), Release: true})
			if o.By != c.by || o.Path != c.program || o.Evidence != c.evidence {
				t.Errorf("%+v, want %s by %s", o, c.by, c.evidence)
			}
			if got := o.Command("1.3.0", "linux", "amd64"); got != c.command {
				t.Errorf("the command is\n%s, want\n%s", got, c.command)
			}
			if got := o.Command("", "linux", "amd64"); (got == "") != strings.Contains(c.command, "1.3.0") {
				t.Errorf("without a version, the command is %q", got)
			}
		})
	}
}

func TestFindBuilt(t *testing.T) {
	installed := &debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1.2.3", Sum: "h1:x="}}
	o := Find(Copy{Program: "/home/a/go/bin/helve", Root: files(), Info: installed, Release: true})
	if o.By != Go || o.Evidence != module+"@v1.2.3" || o.Command("", "linux", "amd64") != "go install github.com/helve-dev/helve@latest" {
		t.Errorf("%+v", o)
	}
	o = Find(Copy{Program: "/src/helve", Root: files(), Info: &debug.BuildInfo{}})
	if o.By != Source || o.Command("1.3.0", "linux", "amd64") != "" {
		t.Errorf("%+v", o)
	}
}

func TestWindowsCommand(t *testing.T) {
	o := Origin{By: Archive, argument: `C:\it's here`}
	const want = `& ([scriptblock]::Create((irm https://github.com/helve-dev/helve/releases/latest/download/install.ps1))) -Dir 'C:\it''s here'`
	if got := o.Command("", "windows", "amd64"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
