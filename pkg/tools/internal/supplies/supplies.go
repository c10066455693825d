// Package supplies finds out before a build runs what it lacks and would fetch from the
// network: modules, crates, artifacts, packages. It reads what the project names and
// looks whether the caches of the tool chain have it. It runs nothing.
//
// What cannot be decided is not reported: then the build tries, fails without the network
// and says so. Files are read up to a bound, and what cannot be parsed lacks nothing.
package supplies

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
)

// World is the environment of a command.
type World struct {
	Dir  string // the working directory, absolute
	Home string // of the person, absolute; "" if unknown
	// Env returns a variable of the command, "" if it is not set.
	Env func(name string) string
	// Places returns where on the machine the content of a cache may be; nil is the
	// directory itself.
	Places func(dir string) []string
}

// Bounds on what is looked at.
const (
	maxBytes = 8 << 20 // of one file
	maxItems = 2000    // modules, crates or artifacts of one build
	maxUp    = 64      // directories from the working directory upwards
)

// Lacks reports whether a simple command will fetch something, and what.
func Lacks(argv []string, w World) (why fault.Text, lacks bool) {
	if len(argv) == 0 {
		return fault.Text{}, false
	}
	name, args := strings.TrimSuffix(filepath.Base(filepath.ToSlash(argv[0])), ".exe"), argv[1:]
	what := ""
	switch {
	case name == "go":
		what = w.goLacks(args)
	case name == "cargo":
		what = w.cargoLacks(args)
	case name == "mvn":
		what = w.mavenLacks(args)
	case name == "gradle", name == "gradlew", name == "gradlew.bat":
		what = w.gradleLacks(argv[0], args)
	case isVersion(name, "pip"):
		what = pipLacks(args)
	case isVersion(name, "python") && len(args) > 2 && args[0] == "-m" && args[1] == "pip":
		what = pipLacks(args[2:])
	}
	if what == "" {
		return fault.Text{}, false
	}
	return fault.T("%s needs %s, which is not on this machine", name, what), true
}

// isVersion reports whether name is a program, maybe with a version, such as pip3.12.
func isVersion(name, program string) bool {
	version, ok := strings.CutPrefix(name, program)
	return ok && strings.Trim(version, "0123456789.") == ""
}

// pipLacks returns what pip fetches.
func pipLacks(args []string) string {
	sub, rest := subcommand(args)
	if sub != "install" && sub != "download" && sub != "wheel" {
		return ""
	}
	names := 0
	for _, a := range rest {
		switch {
		case a == "--no-index", a == "-h", a == "--help":
			return ""
		case !strings.HasPrefix(a, "-"):
			names++
		}
	}
	if names == 0 && !has(rest, "-r", "--requirement", "-e", "--editable") {
		return ""
	}
	return strings.Join(append([]string{"pip", sub}, rest...), " ")
}

// subcommand returns the first word that is no option, and what follows it.
func subcommand(args []string) (sub string, rest []string) {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+") {
			return a, args[i+1:]
		}
	}
	return "", nil
}

// has reports whether one of the options is given, also as --option=value.
func has(args []string, options ...string) bool {
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		if slices.Contains(options, name) {
			return true
		}
	}
	return false
}

// value returns the value of an option, which follows it or an equals sign.
func value(args []string, option string) string {
	for i, a := range args {
		if rest, ok := strings.CutPrefix(a, option+"="); ok {
			return rest
		}
		if a == option && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// places returns the directories on the machine that a cache consists of.
func (w World) places(dir string) []string {
	if w.Places == nil {
		return []string{dir}
	}
	return w.Places(dir)
}

// inCache reports whether a cache has something; name may be a pattern of
// filepath.Match.
func (w World) inCache(dir, name string) bool {
	for _, place := range w.places(dir) {
		if !strings.Contains(name, "*") {
			if exists(filepath.Join(place, name)) {
				return true
			}
			continue
		}
		if found, err := filepath.Glob(filepath.Join(escape(place), name)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// escape makes a path match itself alone.
func escape(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(path)
}

// upwards returns the path of a file in the working directory or the next one above
// that has it; "" if none does.
func (w World) upwards(name string) string {
	for dir, left := w.Dir, maxUp; left > 0; left-- {
		if path := filepath.Join(dir, name); exists(path) {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// read returns the content of a regular file; nil if it cannot be read or is too large.
func read(path string) []byte {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // opening a FIFO would wait
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxBytes {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes))
	if err != nil {
		return nil
	}
	return data
}
