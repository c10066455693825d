package state

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// maxSessionName is the longest name of a session, in bytes.
const maxSessionName = 128

// recordBytes is the size, in bytes, at which a session's record of one file is
// compacted.
const recordBytes = 64 << 10

// Session is the record of what one session was shown of which files. A crash may
// lose the latest entries, and a damaged entry is ignored.
type Session struct {
	dir  *Dir
	path string
}

// saidSuffix ends the names of the files that stand for what was said in a session.
const saidSuffix = ".said"

// versionsKept limits the versions of one file in a session's record, and pastKept those of
// them that are past.
const (
	versionsKept = 8
	pastKept     = 4
)

// Entry records the lines of one version of a file that a session was shown.
type Entry struct {
	SHA    string    `json:"sha"`              // of the file's bytes
	Blob   string    `json:"blob,omitzero"`    // the bytes themselves, if they were put
	Ranges []Range   `json:"ranges,omitempty"` // the lines, sorted; none means all
	By     By        `json:"by,omitzero"`
	At     time.Time `json:"at"`
	// Follows is the SHA of a version of which everything known is known of this one
	// too: the session made one of the other.
	Follows string `json:"follows,omitzero"`
	// Past says that a newer version tells all that this one does: it follows this one, or
	// all of it was shown. Only the text of a line that has come back is still evidence.
	Past bool `json:"-"`
}

// By is the way in which a session was shown the lines of a file. The zero value is a
// tool made for it: read, or a change whose result shows them.
type By string

// The other ways.
const (
	Seen  By = "seen"  // a search, or the output of a command
	Error By = "error" // the details of an error
)

// Range is a run of lines, counted from 1, both ends included.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// stored is the form of an Entry in its file. It has the path, as the name of the
// file is only a hash of it.
type stored struct {
	Path []byte `json:"path"` // base64, as a path may be no UTF-8
	Entry
}

// CheckSession returns the fault of a name that no session can have, which is
// invalid_arguments. A name is any line of text without slashes.
func CheckSession(name string) error {
	control := func(r rune) bool { return unicode.IsControl(r) || r == '/' || r == '\\' }
	if name == "" || len(name) > maxSessionName || !utf8.ValidString(name) || strings.ContainsFunc(name, control) ||
		name[0] == '.' {
		return fault.New(fault.InvalidArguments, fault.T("not a valid session name: %q", name)).
			WithHint(fault.T("use up to %d bytes without slashes and control characters, not starting with a dot", maxSessionName))
	}
	return nil
}

// Session returns the record of a session; see [CheckSession].
func (d *Dir) Session(name string) (*Session, error) {
	if err := CheckSession(name); err != nil {
		return nil, err
	}
	return &Session{dir: d, path: sessionDir + "/" + dirName(name, name)}, nil
}

func (s *Session) file(path string) string {
	sum := sha256.Sum256([]byte(path))
	return s.path + "/" + hex.EncodeToString(sum[:16]) + logSuffix
}

// Shown returns what the session was shown of a file, the newest version first.
func (s *Session) Shown(path string) ([]Entry, error) {
	p, err := s.dir.use()
	if err != nil {
		return nil, err
	}
	data, err := p.read(s.file(path), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.System(err, p.shown(s.file(path)))
	}
	of, versions := combine(data)
	if string(of) != path {
		return nil, nil
	}
	return versions, nil
}

// First reports whether nobody has asked about a subject in the session before, and
// remembers it, for what should be said once. Where it cannot be remembered, every time
// is the first.
func (s *Session) First(subject string) bool {
	p, err := s.dir.use()
	if err != nil {
		return true
	}
	sum := sha256.Sum256([]byte(subject))
	name := s.path + "/" + hex.EncodeToString(sum[:16]) + saidSuffix
	f, begins, err := s.open(p, name, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return !errors.Is(err, fs.ErrExist)
	}
	_ = f.Close() // it is empty
	if begins {
		_ = s.dir.sweep(context.Background(), false) // the next one says what fails
	}
	return true
}

// Paths returns the paths of the files of which the session was shown something.
func (s *Session) Paths() ([]string, error) {
	p, err := s.dir.use()
	if err != nil {
		return nil, err
	}
	var paths []string
	err = p.each(s.path, func(name string, info fs.FileInfo) error {
		if info.IsDir() || !strings.HasSuffix(name, logSuffix) {
			return nil
		}
		data, err := p.read(name, maxFile)
		if err != nil {
			return ignoreMissing(err)
		}
		if path, versions := combine(data); len(versions) > 0 {
			paths = append(paths, string(path))
		}
		return nil
	})
	return paths, fault.System(err, p.shown(s.path))
}

// combine returns the path and the versions that the lines of a session's record of
// one file add up to, the newest first. A damaged line is ignored.
func combine(data []byte) (path []byte, versions []Entry) {
	for line := range bytes.Lines(data) {
		var next stored
		if json.Unmarshal(line, &next) != nil || !next.valid() {
			continue
		}
		if !bytes.Equal(next.Path, path) {
			path, versions = next.Path, nil // of another path with the same hash
		}
		versions = next.Entry.onto(versions)
	}
	return path, versions
}

// onto returns versions with one more in front. Ranges of the same bytes add up. A
// version that follows another, or of which all is shown, makes older ones past.
func (e Entry) onto(versions []Entry) []Entry {
	var older, past []Entry
	for _, v := range versions {
		switch {
		case v.SHA == e.SHA && v.By == e.By:
			if !v.Past {
				e.Ranges = union(v.Ranges, e.Ranges)
			}
			if e.Blob == "" {
				e.Blob = v.Blob
			}
			if e.Follows == "" {
				e.Follows = v.Follows
			}
		case v.Past || v.SHA == e.Follows:
			v.Past = true
			past = append(past, v)
		default:
			older = append(older, v)
		}
	}
	if len(e.Ranges) == 0 && e.By == "" {
		older = slices.DeleteFunc(older, func(v Entry) bool { return v.By == Error })
		for i := range older {
			older[i].Past = true
		}
		older, past = nil, append(older, past...)
	}
	older = append([]Entry{e}, older[:min(len(older), versionsKept-1)]...)
	return append(older, past[:min(len(past), pastKept, versionsKept-len(older))]...)
}

func (s *stored) valid() bool {
	for _, r := range s.Ranges {
		if r.Start < 1 || r.End < r.Start {
			return false
		}
	}
	return s.SHA != ""
}

// Record adds that the session was shown a file. Ranges add up as long as the
// file's bytes stay the same.
func (s *Session) Record(path string, e Entry) error {
	record, err := schema.Marshal(stored{[]byte(path), e})
	if err != nil {
		return err
	}
	p, err := s.dir.use()
	if err != nil {
		return err
	}
	name := s.file(path)
	size, begins, err := s.add(p, name, record)
	if err == nil && size > recordBytes {
		err = s.compact(p, name)
	}
	if err != nil {
		return fault.System(err, p.shown(name))
	}
	if begins {
		// A new session is rare, so this is when old ones are removed. Some
		// workspaces are only read and have no other occasion.
		return s.dir.sweep(context.Background(), false)
	}
	return nil
}

// add appends a record. It returns the size of the file then, and whether the
// record is the session's first. The append is one write, so that no record is lost
// or torn, and is not synced: that would use the disk at every read.
func (s *Session) add(p *opened, name string, record []byte) (size int64, begins bool, err error) {
	f, begins, err := s.open(p, name, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return 0, false, err
	}
	// The first newline ends a line that a crash cut short.
	_, err = f.Write(slices.Concat([]byte{'\n'}, record, []byte{'\n'}))
	if err == nil {
		var info fs.FileInfo
		if info, err = f.Stat(); err == nil {
			size = info.Size()
		}
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return size, begins, err
}

// open opens or makes a file of the session. It reports whether the file is the
// session's first.
func (s *Session) open(p *opened, name string, flags int) (f *os.File, begins bool, err error) {
	if f, err = p.dir.OpenFile(name, flags, 0o600); errors.Is(err, fs.ErrNotExist) {
		if err = p.dir.MkdirAll(s.path, 0o700); err == nil {
			begins = true
			f, err = p.dir.OpenFile(name, flags, 0o600)
		}
	}
	return f, begins, err
}

// compact replaces many records with one for each version. A record that another process adds at
// this moment may be lost, as in a crash.
func (s *Session) compact(p *opened, name string) error {
	data, err := p.read(name, maxFile)
	if err != nil {
		return ignoreMissing(err)
	}
	path, versions := combine(data)
	var kept []byte
	for _, v := range slices.Backward(versions) {
		record, err := schema.Marshal(stored{path, v})
		if err != nil {
			return err
		}
		kept = append(append(kept, record...), '\n')
	}
	return p.replace(name, kept, false)
}

// union returns the union of two sets of lines. No ranges mean all lines.
func union(a, b []Range) []Range {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	return Joined(slices.Concat(a, b))
}

// Joined sorts ranges and joins those that touch. It works in place.
func Joined(all []Range) []Range {
	slices.SortFunc(all, func(x, y Range) int { return x.Start - y.Start })
	joined := all[:min(1, len(all))]
	for _, r := range all[min(1, len(all)):] {
		last := &joined[len(joined)-1]
		if r.Start <= last.End+1 {
			last.End = max(last.End, r.End)
		} else {
			joined = append(joined, r)
		}
	}
	return joined
}
