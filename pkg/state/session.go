package state

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/limit"
)

// Session is the ledger of what one conversation was shown of which files. It is
// advice: a crash may lose its latest entries, and a damaged entry is none.
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

// stored is an Entry as its file has it: with the path, since the file's name
// is only a hash of it.
type stored struct {
	Path []byte `json:"path"` // base64, as a path may be no UTF-8
	Entry
}

// Session gives the ledger of a session. Its name is any line of text without
// slashes; the error for another is invalid_arguments.
func (d *Dir) Session(name string) (*Session, error) {
	control := func(r rune) bool { return unicode.IsControl(r) || r == '/' || r == '\\' }
	if name == "" || len(name) > limit.SessionName || !utf8.ValidString(name) || strings.ContainsFunc(name, control) ||
		name[0] == '.' {
		return nil, fault.New(fault.InvalidArguments, fault.T("not a usable session name: %q", "会话名称不可用: %q", name)).
			WithHint(fault.T("use up to %d bytes without slashes and control characters, not starting with a dot",
				"请使用不超过 %d 字节、不含斜杠和控制字符、不以点开头的名称", limit.SessionName))
	}
	return &Session{dir: d, path: sessionDir + "/" + label(name, name)}, nil
}

func (s *Session) file(path string) string {
	sum := sha256.Sum256([]byte(path))
	return s.path + "/" + hex.EncodeToString(sum[:16]) + ".json"
}

// Served is what the session was last shown of a file, if anything.
func (s *Session) Served(path string) (Entry, bool, error) {
	p, err := s.dir.use()
	if err != nil {
		return Entry{}, false, err
	}
	data, err := p.read(s.file(path), limit.StateFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Entry{}, false, nil
	}
	if err != nil {
		return Entry{}, false, fault.System(err, p.shown(s.file(path)))
	}
	entry, ok := parseEntry(data, path)
	return entry, ok, nil
}

// parseEntry reads a ledger's file. Bytes that are none, or speak of another
// path, are no entry.
func parseEntry(data []byte, path string) (Entry, bool) {
	var in stored
	if json.Unmarshal(data, &in) != nil || string(in.Path) != path || in.SHA == "" {
		return Entry{}, false
	}
	for _, r := range in.Ranges {
		if r.Start < 1 || r.End < r.Start {
			return Entry{}, false
		}
	}
	return in.Entry, true
}

// Serve notes that the session was shown a file. Lines add up while the file's
// bytes stay the same.
func (s *Session) Serve(path string, e Entry) error {
	p, err := s.dir.use()
	if err != nil {
		return err
	}
	if old, ok, err := s.Served(path); err != nil {
		return err
	} else if ok && old.SHA == e.SHA {
		e.Ranges = union(old.Ranges, e.Ranges)
		if e.Blob == "" {
			e.Blob = old.Blob
		}
	}
	data, err := json.Marshal(stored{[]byte(path), e})
	if err != nil {
		return err
	}
	_, err = p.dir.Lstat(s.path)
	begins := errors.Is(err, fs.ErrNotExist)
	if err := p.replace(s.file(path), data, false); err != nil {
		return fault.System(err, p.shown(s.file(path)))
	}
	if begins {
		// A new session is rare and is when old ones are cleared away, in a
		// workspace that is only read too.
		return s.dir.sweep(context.Background(), false)
	}
	return nil
}

// Forget drops what the session was shown of a file.
func (s *Session) Forget(path string) error {
	p, err := s.dir.use()
	if err != nil {
		return err
	}
	if err := p.dir.Remove(s.file(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.System(err, p.shown(s.file(path)))
	}
	return nil
}

// union joins two sets of lines; no ranges stand for all lines.
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
