package origin

import (
	"io/fs"
	"path"
	"strings"
)

// database knows the package managers of Linux distributions by their records of files.
func database(p place) (Origin, bool) {
	for _, list := range [...]string{"/var/lib/dpkg/info/helve.list", "/var/lib/dpkg/info/helve:amd64.list", "/var/lib/dpkg/info/helve:arm64.list"} {
		for line := range strings.Lines(p.read(list)) {
			if strings.TrimSpace(line) == p.program {
				return Origin{By: Deb, Evidence: list}, true
			}
		}
	}
	for _, installed := range [...]string{"/lib/apk/db/installed", "/usr/lib/apk/db/installed"} {
		if apkHas(p.read(installed), p.program) {
			return Origin{By: APK, Evidence: installed}, true
		}
	}
	// The database of RPM is one of several formats. No other package has this file, which
	// is removed with it.
	const license = "/usr/share/licenses/helve/LICENSE"
	if p.program == "/usr/bin/helve" && p.exists(license) {
		for _, file := range [...]string{
			"/usr/lib/sysimage/rpm/rpmdb.sqlite", "/var/lib/rpm/rpmdb.sqlite", "/usr/lib/sysimage/rpm/Packages.db", "/var/lib/rpm/Packages.db", "/var/lib/rpm/Packages",
		} {
			if p.exists(file) {
				return Origin{By: RPM, Evidence: file}, true
			}
		}
	}
	return Origin{}, false
}

// apkHas reports whether the database of apk has helve with this program. A package is some
// lines and an empty one; P is its name, F a directory, R a file in the last directory:
// https://wiki.alpinelinux.org/wiki/Apk_spec#Installed_Database_V2
func apkHas(installed, program string) bool {
	for one := range strings.SplitSeq(installed, "\n\n") {
		if !strings.Contains("\n"+one+"\n", "\nP:helve\n") {
			continue
		}
		dir := ""
		for line := range strings.Lines(one) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			switch {
			case key == "F":
				dir = value
			case key == "R" && path.Join("/", dir, value) == program:
				return true
			}
		}
	}
	return false
}

// python knows the wheel by the record of its files:
// https://packaging.python.org/en/latest/specifications/recording-installed-packages/
func python(p place) (Origin, bool) {
	prefix := path.Dir(path.Dir(p.program))
	below, err := fs.Sub(p.root, p.name(prefix))
	if err != nil {
		return Origin{}, false
	}
	for _, packages := range [...]string{"lib/python*/site-packages", "lib64/python*/site-packages", "lib/python*/dist-packages", "Lib/site-packages", "site-packages", "."} {
		records, err := fs.Glob(below, path.Join(packages, "helve_tools-*.dist-info/RECORD"))
		if err != nil {
			return Origin{}, false
		}
		for _, record := range records {
			text, err := fs.ReadFile(below, record)
			if err != nil || !recorded(string(text), p.program) {
				continue
			}
			o := Origin{By: Pip, Evidence: path.Join(prefix, record)}
			switch {
			case strings.Contains(p.program, "/pipx/venvs/"):
				o.By = Pipx
			case strings.Contains(p.program, "/uv/tools/"):
				o.By, o.argument = UV, "tool"
			case strings.TrimSpace(p.read(path.Join(path.Dir(o.Evidence), "INSTALLER"))) == "uv":
				o.By = UV
			default:
				o.argument = interpreter(p)
			}
			return o, true
		}
	}
	return Origin{}, false
}

// recorded reports whether a record has the program, by its name and that of its
// directory: with --target the path before these is not where it lies.
func recorded(record, program string) bool {
	want := path.Join(path.Base(path.Dir(program)), path.Base(program))
	for line := range strings.Lines(record) {
		file, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(line), `"`), ",")
		if strings.HasSuffix(strings.ReplaceAll(file, `\`, "/"), "/"+want) {
			return true
		}
	}
	return false
}

// interpreter returns the Python beside the program, whose packages these are.
func interpreter(p place) string {
	for _, name := range [...]string{"python", "python3", "python.exe"} {
		if file := path.Join(path.Dir(p.program), name); p.exists(file) {
			return file
		}
	}
	return "python3"
}
