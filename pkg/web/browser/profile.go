package browser

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// A profile is a directory of one process. A lock says that the process lives, and a file
// of the same name that there is a directory to be removed when it does not.
const (
	profiles = "profiles"
	markers  = "running"
)

// profile is the directory of a browser.
type profile struct {
	state   *state.Dir
	id      string
	path    string
	temp    string // a temporary directory elsewhere; "" is none
	release func() error
}

// tempPrefix begins the names of temporary directories.
const tempPrefix = "helve-browser-"

// shortTemp makes a temporary directory whose path is short: a path of a socket, which
// Chromium makes there, may have about a hundred bytes. It is removed with the profile.
func (p *profile) shortTemp() (string, error) {
	dir, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return "", fault.System(err, os.TempDir())
	}
	p.temp = dir
	return dir, p.state.WriteFile(markers+"/"+p.id, []byte(dir))
}

// newProfile makes a profile, after it has removed those that nobody uses any more.
func newProfile(dir *state.Dir, now time.Time) (*profile, error) {
	if err := sweep(dir); err != nil {
		return nil, err
	}
	p := &profile{state: dir, id: state.NewID(now)}
	release, ok, err := dir.Claim(lockOf(p.id))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.New(fault.Locked, fault.T("the profile %s is in use", p.id)).
			WithHint(fault.T("call again"))
	}
	p.release = release
	if err = dir.WriteFile(markers+"/"+p.id, nil); err == nil {
		p.path, err = dir.Directory(profiles + "/" + p.id)
	}
	if err != nil {
		p.remove()
		return nil, err
	}
	return p, nil
}

// remove removes the profile. What cannot be removed is swept later.
func (p *profile) remove() {
	if filepath.Dir(p.temp) == filepath.Clean(os.TempDir()) && strings.HasPrefix(filepath.Base(p.temp), tempPrefix) {
		_ = os.RemoveAll(p.temp)
	}
	if p.state.RemoveDirectory(profiles+"/"+p.id) == nil {
		_ = p.state.Remove(markers + "/" + p.id)
	}
	_ = p.release()
}

func lockOf(id string) string { return "browser/" + id }

// sweep removes the profiles of processes that were killed.
func sweep(dir *state.Dir) error {
	ids, err := dir.List(markers)
	if err != nil {
		return err
	}
	for _, id := range ids {
		release, ok, err := dir.Claim(lockOf(id))
		if err != nil || !ok {
			continue // its process lives
		}
		temp, err := dir.ReadFile(markers + "/" + id)
		if err != nil {
			temp = nil // somebody else has removed it
		}
		(&profile{state: dir, id: id, temp: string(temp), release: release}).remove()
	}
	return nil
}
