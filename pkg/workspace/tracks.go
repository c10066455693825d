package workspace

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// maxIndex is the largest index, in bytes, that is looked through.
const maxIndex = 256 << 20

// Tracks reports whether a repository may have files of a directory in its index.
// top, the top of the repository, and dir are paths from the root. It says yes
// where the index cannot be read or is in a form that is not looked through: of
// version 4, where names are compressed, with SHA-256, or split. See
// gitformat-index(5).
func Tracks(r *Root, top, dir string) bool {
	at := filepath.Join(r.dir, filepath.FromSlash(top))
	git, found := gitdir.At(at)
	if !found {
		return true
	}
	name := filepath.Join(git.Path, "index")
	info, err := os.Lstat(name)
	if os.IsNotExist(err) {
		return false // nothing was ever added
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex {
		return true
	}
	below, ok := RelOS(filepath.Join(r.dir, filepath.FromSlash(dir)), at)
	if !ok {
		return true
	}
	index, err := os.ReadFile(name)
	return err != nil || indexed(index, below+"/")
}

// indexed reports whether an index may have a path that begins with prefix.
func indexed(index []byte, prefix string) bool {
	const header, fixed, checksum = 12, 62, 20
	if len(index) < header+checksum || string(index[:4]) != "DIRC" {
		return true
	}
	version, entries := binary.BigEndian.Uint32(index[4:]), binary.BigEndian.Uint32(index[8:])
	if version != 2 && version != 3 {
		return true
	}
	rest := index[header : len(index)-checksum]
	for range entries {
		if len(rest) < fixed {
			return true
		}
		start := fixed
		if version == 3 && rest[60]&0x40 != 0 {
			start += 2 // further flags
		}
		length := bytes.IndexByte(rest[min(start, len(rest)):], 0)
		if length < 0 {
			return true
		}
		if bytes.HasPrefix(rest[start:start+length], []byte(prefix)) {
			return true
		}
		end := (start + length + 8) &^ 7 // one to eight NULs
		if end > len(rest) {
			return true
		}
		rest = rest[end:]
	}
	for len(rest) > 0 { // extensions
		if len(rest) < 8 || string(rest[:4]) == "link" {
			return true
		}
		size := int(binary.BigEndian.Uint32(rest[4:]))
		if size < 0 || size > len(rest)-8 {
			return true
		}
		rest = rest[8+size:]
	}
	return false
}
