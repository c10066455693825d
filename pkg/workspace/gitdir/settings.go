package gitdir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// What is read of settings: more than anybody writes by hand.
const (
	maxFile     = 1 << 20 // bytes
	maxFiles    = 200
	maxIncludes = 10 // one in the other, as in git
)

// Settings are the settings of files and of the files that these include, in the
// order in which git reads them.
type Settings struct {
	All []Setting
	// Files are those that were looked for, also those that do not exist.
	Files []string
	// Unclear says that something could not be read, or that git refuses it.
	Unclear bool
}

// Has reports whether there is a setting with this section and key, whatever its
// subsection.
func (s *Settings) Has(section, key string) bool {
	return slices.ContainsFunc(s.All, func(one Setting) bool { return one.Section == section && one.Key == key })
}

// True reports whether the last setting with this section and key, without a subsection,
// is a true boolean.
func (s *Settings) True(section, key string) bool {
	is := false
	for _, one := range s.All {
		if one.Is(section, key) {
			is = one.truth()
		}
	}
	return is
}

// Reader reads files of settings.
type Reader struct {
	Home string // what "~/" stands for; "" if unknown
	// Every also reads what is included under a condition, each file once: so there
	// are rather more settings than those that git sees.
	Every bool
}

// Read reads files one after the other.
func (r Reader) Read(files ...string) Settings {
	var s Settings
	for _, file := range files {
		r.read(&s, file, 0)
	}
	return s
}

func (r Reader) read(s *Settings, file string, depth int) {
	known := slices.Contains(s.Files, file)
	switch {
	case file == "" || known && r.Every:
		return
	case len(s.Files) == maxFiles || depth > maxIncludes && r.Every:
		s.Unclear = true
		return
	case depth > maxIncludes:
		return // git follows no more
	}
	s.Files = append(s.Files, file)
	text, err := readFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errDirectory) {
		return // git takes nothing from it either
	}
	all, syntax := Parse(text)
	if err != nil || syntax != nil {
		s.Unclear = true
		return
	}
	for _, one := range all {
		one.File = file
		s.All = append(s.All, one)
		if one.Key == "path" && (one.Section == "include" && one.Name == "" || one.Section == "includeif" && r.Every) {
			r.read(s, r.Expand(one.Value, filepath.Dir(file)), depth+1)
		}
	}
}

// Expand returns the path that a setting means: "~/" is the home directory, and a
// relative path starts at dir, or is no path without one. It returns "" for what is no
// path here.
func (r Reader) Expand(name, dir string) string {
	if rest, inHome := strings.CutPrefix(name, "~/"); inHome {
		if r.Home == "" {
			return ""
		}
		return filepath.Join(r.Home, filepath.FromSlash(rest))
	}
	if name == "" || strings.HasPrefix(name, "~") && !r.Every || strings.HasPrefix(name, "%(prefix)") {
		return "" // another person's home
	}
	if dir == "" && !filepath.IsAbs(filepath.FromSlash(name)) {
		return ""
	}
	return pathIn(dir, name)
}

// pathIn returns what a path means in a file of dir.
func pathIn(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// The reasons for which there is nothing to read.
var (
	errDirectory = errors.New("a directory")
	errSpecial   = errors.New("no regular file")
	errTooLong   = errors.New("too long")
)

// readFile returns the content of a file of settings.
func readFile(name string) ([]byte, error) { return readUpTo(name, maxFile) }

// readUpTo returns the content of a regular file of up to that many bytes. It never
// blocks.
func readUpTo(name string, most int) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENOTDIR) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	switch info, err := f.Stat(); {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errDirectory
	case !info.Mode().IsRegular():
		return nil, errSpecial
	}
	text, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err == nil && len(text) > most {
		err = errTooLong
	}
	return text, err
}
