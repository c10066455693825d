package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/check/diagnostic"
	"github.com/helve-dev/helve/pkg/workspace"
)

// baseline is the outcome of a run of a checker.
type baseline struct {
	At          time.Time               `json:"at"`    // when the run began
	Files       map[string]string       `json:"files"` // SHA-256 of the files that it was about
	Diagnostics []diagnostic.Diagnostic `json:"diagnostics"`
	// Masked are diagnostics of before that a new error may have kept the checker from: when
	// they come back, they are not new.
	Masked []diagnostic.Diagnostic `json:"masked,omitempty"`
}

const (
	// cacheBytes limits the baselines that are kept.
	cacheBytes = 32 << 20
	// maxEntries limits the entries of directories that are compared with the time of a run:
	// with more of them, the checker runs again.
	maxEntries = 4000
)

// load returns the outcome of the last run of a unit, if that would be the same now; nil
// else.
func (w *watch) load(u *unit) *baseline {
	raw, err := w.dir.Cache("checks", cacheBytes).Get(u.key())
	if err != nil || raw == nil {
		return nil
	}
	var b baseline
	if json.Unmarshal(raw, &b) != nil || !w.holds(u, &b) {
		return nil
	}
	return &b
}

// save keeps the outcome of a run. Without it the next call runs the checker once more.
func (w *watch) save(u *unit, b *baseline) {
	b.Files = map[string]string{}
	for _, file := range u.files {
		b.Files[file] = w.sum(file)
	}
	if raw, err := json.Marshal(b); err == nil {
		_ = w.dir.Cache("checks", cacheBytes).Put(u.key(), raw)
	}
}

func (w *watch) sum(file string) string {
	sum := sha256.Sum256([]byte(w.present(file)))
	return hex.EncodeToString(sum[:])
}

// holds reports whether a run would have the outcome of an earlier one: the files that it is
// about are the same, and in the directories that it looks at nothing has changed since.
func (w *watch) holds(u *unit, b *baseline) bool {
	for _, file := range u.files {
		if sum, ok := b.Files[file]; !ok || sum != w.sum(file) {
			return false
		}
	}
	if len(u.files) > 0 {
		return true
	}
	dirs := slices.Clone(u.dirs)
	for _, d := range b.Diagnostics {
		dirs = append(dirs, path.Dir(d.File))
	}
	slices.Sort(dirs)
	left := maxEntries
	for _, dir := range slices.Compact(dirs) {
		if !w.quiet(dir, b.At, &left) {
			return false
		}
	}
	return true
}

// quiet reports whether nothing in a directory has changed since a time.
func (w *watch) quiet(dir string, since time.Time, left *int) bool {
	at := w.root.At(dir)
	info, err := w.root.Stat(at)
	if err != nil || info.ModTime().After(since) {
		return false
	}
	entries, err := w.root.ReadDir(at)
	if *left -= len(entries); err != nil || *left < 0 {
		return false
	}
	return !slices.ContainsFunc(entries, func(e workspace.Entry) bool {
		return e.Info == nil || !e.Info.IsDir() && e.Info.ModTime().After(since)
	})
}
