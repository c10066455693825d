package manifest

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxManifests limits the manifests read.
const maxManifests = 500

// Dir is a directory of manifests: the files in it that end in .json.
type Dir struct {
	Path string // absolute
	// Trusted reports whether a person trusts a manifest with this SHA-256; nil means
	// all are trusted, for a directory that only a person writes to.
	Trusted func(sha string) bool
	// Reads, if not nil, is called with the path of the directory, and of each of
	// its files, just before it is read.
	Reads func(path string)
}

// Found is a manifest in a directory.
type Found struct {
	File     string
	Name     string // of the tool, or of the file if that is not known
	SHA      string // of its bytes; "" if it cannot be read
	Trusted  bool
	Tool     *Tool // nil if there are problems
	Problems Problems
}

// Usable reports whether the tool may be offered.
func (f *Found) Usable() bool { return f.Tool != nil && f.Trusted }

// Find reads the manifests in directories, in the order of these and then of their
// names. Of tools with the same name, the first usable one has it. A directory need
// not exist.
func Find(dirs []Dir, o Options) []Found {
	var all []Found
	o.Taken = slices.Clone(o.Taken)
	for _, d := range dirs {
		d.reads(d.Path)
		names, err := config.Names(d.Path, ".json")
		if err != nil {
			file := filepath.Join(d.Path, "*.json")
			all = append(all, Found{File: file, Name: filepath.Base(d.Path), Problems: Problems{unread(file, err)}})
		}
		for _, name := range names {
			if len(all) == maxManifests {
				return all
			}
			f := look(d, name, o)
			if f.Usable() {
				o.Taken = append(o.Taken, f.Name)
			}
			all = append(all, f)
		}
	}
	return all
}

func (d Dir) reads(path string) {
	if d.Reads != nil {
		d.Reads(path)
	}
}

// look reads a manifest. It does not follow a link out of the directory.
func look(d Dir, name string, o Options) Found {
	f := Found{File: filepath.Join(d.Path, name), Name: strings.TrimSuffix(name, ".json")}
	d.reads(f.File)
	data, err := config.Read(config.File{Source: config.Workspace, Root: d.Path, Path: f.File})
	if err == nil && data == nil {
		err = fault.New(fault.NotFound, fault.T("the file was removed"))
	}
	if err != nil {
		f.Problems = Problems{unread(f.File, err)}
		return f
	}
	f.SHA = sum(data)
	f.Trusted = d.Trusted == nil || d.Trusted(f.SHA)
	f.Tool, f.Problems = Parse(f.File, data, o)
	if f.Tool != nil {
		f.Name = f.Tool.Name
	}
	return f
}

func unread(file string, err error) Problem {
	return Problem{Name: Unreadable, File: file, Line: 1, Column: 1, Message: fault.As(err).Message}
}
