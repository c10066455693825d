package service

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// Usual returns the kind of service that a system usually has.
func Usual() string {
	switch runtime.GOOS {
	case "linux":
		return Systemd
	case "darwin":
		return Launchd
	case "windows":
		return Schtasks
	}
	return Crontab
}

// ID distinguishes the service of a workspace from those of others.
func ID(root string) string {
	sum := sha256.Sum256([]byte(root))
	var name strings.Builder
	for _, c := range strings.ToLower(filepath.Base(root)) {
		switch {
		case name.Len() == 30:
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			name.WriteRune(c)
		case name.Len() > 0 && !strings.HasSuffix(name.String(), "-"):
			name.WriteByte('-')
		}
	}
	return strings.Trim(name.String()+"-"+hex.EncodeToString(sum[:4]), "-")
}

// Installing holds the options of [Service.Install].
type Installing struct {
	Dry    bool // nothing is written
	Remove bool // they are removed
	Force  bool // also those that helve did not write
}

// Installed is a file of a service, and what has become of it.
type Installed struct {
	Path    string `json:"path"`
	Action  string `json:"action"` // written, unchanged, removed or absent; of a dry run, what would become of it
	Content string `json:"content,omitzero"`
}

// Install writes or removes the files of the service. A file that helve did not write is
// already_exists, and then nothing is written.
func (s *Service) Install(how Installing) ([]Installed, error) {
	files := make([]Installed, len(s.Files))
	for i, f := range s.Files {
		before, err := config.Read(config.File{Source: config.User, Path: f.Path})
		if err != nil {
			return nil, err
		}
		files[i] = Installed{Path: f.Path, Action: "written", Content: contentOf(f.Data)}
		switch {
		case before != nil && !strings.Contains(contentOf(before), Mark) && !how.Force:
			return nil, fault.New(fault.AlreadyExists, fault.T("%s was not written by helve", f.Path)).
				WithHint(fault.T("look at it; --force replaces it"))
		case how.Remove && before == nil:
			files[i] = Installed{Path: f.Path, Action: "absent"}
		case how.Remove:
			files[i] = Installed{Path: f.Path, Action: "removed"}
		case bytes.Equal(before, f.Data):
			files[i].Action = "unchanged"
		}
	}
	if how.Dry {
		return files, nil
	}
	for i, f := range s.Files {
		var err error
		switch files[i].Action {
		case "removed":
			err = fault.System(os.Remove(f.Path), f.Path)
		case "written":
			if err = os.MkdirAll(filepath.Dir(f.Path), 0o700); err == nil {
				err = config.Replace(f.Path, f.Data)
			}
		}
		if err != nil {
			return nil, fault.System(err, f.Path)
		}
	}
	return files, nil
}

// contentOf returns the text of a file, which one for Windows has in UTF-16.
func contentOf(data []byte) string {
	rest, wide := bytes.CutPrefix(data, []byte{0xff, 0xfe})
	if !wide {
		return string(data)
	}
	units := make([]uint16, 0, len(rest)/2)
	for pair := range slices.Chunk(rest, 2) {
		if len(pair) == 2 {
			units = append(units, uint16(pair[0])|uint16(pair[1])<<8)
		}
	}
	return string(utf16.Decode(units))
}
