package upstream

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxServers limits the records read.
const maxServers = 200

// suffix ends the name of the file of a record.
const suffix = ".json"

// Found is a record in a directory.
type Found struct {
	File   string
	Name   string // of the server and of its file
	Server *Server
	Err    error // why it cannot be used; nil if Server is not
}

// Find reads the records in a directory, in the order of their names. The directory need
// not exist. reads, if not nil, is called with the path of the directory, and of each
// of its files, just before it is read.
func Find(dir string, reads func(path string)) []Found {
	if reads == nil {
		reads = func(string) {}
	}
	reads(dir)
	names, err := config.Names(dir, suffix)
	if err != nil {
		return []Found{{File: dir, Name: filepath.Base(dir), Err: err}}
	}
	var all []Found
	for _, name := range names[:min(len(names), maxServers)] {
		file := filepath.Join(dir, name)
		reads(file)
		f := Found{File: file, Name: strings.TrimSuffix(name, suffix)}
		f.Server, f.Err = load(dir, file)
		if f.Err == nil && f.Server.Name != f.Name {
			f.Server, f.Err = nil, Problems{{"/name", fault.T("want %q, as the file is called, got %q", f.Name, f.Server.Name)}}.Err(file)
		}
		all = append(all, f)
	}
	return all
}

// load reads a record. It does not follow a link out of the directory.
func load(dir, file string) (*Server, error) {
	data, err := config.ReadAtMost(config.File{Source: config.Workspace, Root: dir, Path: file}, maxBytes)
	if err == nil && data == nil {
		err = fault.New(fault.NotFound, fault.T("the file was removed"))
	}
	if err != nil {
		return nil, err
	}
	s, problems := Parse(data)
	return s, problems.Err(file)
}

// Store writes a record to a directory, which it makes if needed, and returns the file.
// Only the person can read it: a command may have words that are nobody else's.
func Store(dir string, s *Server) (file string, err error) {
	file = filepath.Join(dir, s.Name+suffix) // a name has no slash and no dot
	if err := s.Check().Err(file); err != nil {
		return "", err
	}
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return "", fault.As(err)
	}
	if len(data) > maxBytes {
		return "", fault.New(fault.TooLarge, fault.T("the definitions of %s take %d bytes; the limit is %d", s.Name, len(data), maxBytes)).
			WithHint(fault.T("take in fewer of its tools: --only"))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fault.System(err, dir)
	}
	if err := config.Replace(file, append(data, '\n')); err != nil {
		return "", err
	}
	return file, fault.System(os.Chmod(file, 0o600), file)
}

// Remove deletes a record.
func Remove(file string) error { return fault.System(os.Remove(file), file) }
