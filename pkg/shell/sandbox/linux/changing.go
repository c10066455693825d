//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git names contents so
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// accepts reports whether a path may have become what it is now; see
// [sandbox.Profile.Changing].
func accepts(p sandbox.Profile, path string, now savedEntry) bool {
	c := p.Changes(path)
	switch {
	case c == nil:
		return false
	case c.Any:
		return true
	case !now.exists:
		return slices.Contains(c.Blobs, "")
	case !now.mode.IsRegular() && !now.isLink():
		return false
	}
	texts := [][]byte{now.data}
	if bytes.Contains(now.data, []byte("\r\n")) { // git may have put that in place of a newline
		texts = append(texts, bytes.ReplaceAll(now.data, []byte("\r\n"), []byte("\n")))
	}
	return slices.ContainsFunc(texts, func(text []byte) bool {
		return slices.ContainsFunc(blobs(text), func(id string) bool { return slices.Contains(c.Blobs, id) })
	})
}

// blobs returns the names that git has for a content, by both of its functions.
func blobs(text []byte) []string {
	text = append(fmt.Appendf(nil, "blob %d\x00", len(text)), text...)
	short, long := sha1.Sum(text), sha256.Sum256(text) //nolint:gosec // see above
	return []string{hex.EncodeToString(short[:]), hex.EncodeToString(long[:])}
}

// becomes reports whether all that is at a path and below it may be there: as what changed
// by leave, or as what is known.
func becomes(p sandbox.Profile, path string, known func(path string) bool) bool {
	if !p.ChangesIn(path) {
		return false
	}
	all := true
	err := walk(path, func(name string, m savedEntry) error {
		all = all && (m.mode.IsDir() || accepts(p, name, m) || known(name))
		return nil
	})
	return all && err == nil
}
