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

// Entry is what a session was last shown of one file.
type Entry struct {
	SHA    string    `json:"sha"`              // of the file's bytes
	Blob   string    `json:"blob,omitzero"`    // the bytes themselves, if they were put
	Ranges []Range   `json:"ranges,omitempty"` // the lines, sorted; none means all
	At     time.Time `json:"at"`
}

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

// Session returns the record of a session. Its name is any line of text without
// slashes; the error for another name is invalid_arguments.
func (d *Dir) Session(name string) (*Session, error) {
	control := func(r rune) bool { return unicode.IsControl(r) || r == '/' || r == '\\' }
	if name == "" || len(name) > maxSessionName || !utf8.ValidString(name) || strings.ContainsFunc(name, control) ||
		name[0] == '.' {
		return nil, fault.New(fault.InvalidArguments, fault.T("not a valid session name: %q", "会话名称不可用: %q", name)).
			WithHint(fault.T("use up to %d bytes without slashes and control characters, not starting with a dot",
				"请使用不超过 %d 字节、不含斜杠和控制字符、不以点开头的名称", maxSessionName))
	}
	return &Session{dir: d, path: sessionDir + "/" + dirName(name, name)}, nil
}

func (s *Session) file(path string) string {
	sum := sha256.Sum256([]byte(path))
	return s.path + "/" + hex.EncodeToString(sum[:16]) + logSuffix
}

// Shown returns what the session was last shown of a file, if anything.
func (s *Session) Shown(path string) (Entry, bool, error) {
	p, err := s.dir.use()
	if err != nil {
		return Entry{}, false, err
	}
	data, err := p.read(s.file(path), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Entry{}, false, nil
	}
	if err != nil {
		return Entry{}, false, fault.System(err, p.shown(s.file(path)))
	}
	last, ok := latest(data)
	if !ok || string(last.Path) != path {
		return Entry{}, false, nil
	}
	return last.Entry, true, nil
}

// latest combines the lines of a session's record of one file. Ranges add up as
// long as the file's bytes stay the same. A damaged line is ignored.
func latest(data []byte) (sum stored, ok bool) {
	for line := range bytes.Lines(data) {
		var next stored
		if json.Unmarshal(line, &next) != nil || !next.valid() {
			continue
		}
		if ok && next.SHA == sum.SHA && bytes.Equal(next.Path, sum.Path) {
			next.Ranges = union(sum.Ranges, next.Ranges)
			if next.Blob == "" {
				next.Blob = sum.Blob
			}
		}
		sum, ok = next, true
	}
	return sum, ok
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
	const flags = os.O_WRONLY | os.O_APPEND | os.O_CREATE
	f, err := p.dir.OpenFile(name, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = p.dir.MkdirAll(s.path, 0o700); err == nil {
			begins = true
			f, err = p.dir.OpenFile(name, flags, 0o600)
		}
	}
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

// compact replaces many records with one. A record that another process adds at
// this moment may be lost, as in a crash.
func (s *Session) compact(p *opened, name string) error {
	data, err := p.read(name, maxFile)
	if err != nil {
		return ignoreMissing(err)
	}
	last, _ := latest(data)
	record, err := schema.Marshal(last)
	if err != nil {
		return err
	}
	return p.replace(name, append(record, '\n'), false)
}

// union returns the union of two sets of lines. No ranges mean all lines.
func union(a, b []Range) []Range {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y Range) int { return x.Start - y.Start })
	joined := all[:1]
	for _, r := range all[1:] {
		last := &joined[len(joined)-1]
		if r.Start <= last.End+1 {
			last.End = max(last.End, r.End)
		} else {
			joined = append(joined, r)
		}
	}
	return joined
}
