package gocache

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// caches are directories in the layout of cmd/go/internal/cache, which any go command may
// use as well: NN/ACTION-a has an entry, and NN/OUTPUT-d what it stands for. Either may be
// nil.
type caches struct{ own, machine *directory }

type directory struct {
	path string
	root *os.Root
}

func openCaches(own, machine string) *caches {
	_ = os.MkdirAll(own, 0o777) // opening it says whether it is there
	return &caches{openDirectory(own), openDirectory(machine)}
}

func openDirectory(path string) *directory {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil // nothing is in it, and putting something there says that it is missing
	}
	return &directory{path, root}
}

func (c *caches) close() {
	for _, d := range [...]*directory{c.own, c.machine} {
		if d != nil {
			_ = d.root.Close() // nothing was written by it
		}
	}
}

// idSize is the size of the identifiers, which are sums of SHA-256.
const idSize = 32

// name returns the path of a file in a cache.
func name(id []byte, suffix string) string {
	text := hex.EncodeToString(id)
	return text[:2] + "/" + text + suffix
}

// get finds what an action has put.
func (c *caches) get(q request, r *response) {
	r.Miss = true
	if len(q.ActionID) != idSize {
		return
	}
	for _, d := range [...]*directory{c.own, c.machine} {
		if d == nil {
			continue
		}
		e, ok := d.entry(q.ActionID)
		if !ok {
			continue
		}
		data := name(e.output, "-d")
		info, err := d.root.Lstat(data)
		// A program that "go run" keeps is a directory.
		if err != nil || !info.Mode().IsRegular() || info.Size() != e.size {
			continue
		}
		if d == c.own {
			d.use(name(q.ActionID, "-a"), data, info)
		}
		*r = response{ID: q.ID, OutputID: e.output, Size: e.size, Time: &e.at, DiskPath: filepath.Join(d.path, data)}
		return
	}
}

// entry is the content of a file of an action.
type entry struct {
	output []byte
	size   int64
	at     time.Time
}

// entryFormat has an action, an output, a size in bytes and a time in nanoseconds.
const entryFormat = "v1 %x %x %20d %20d\n"

func (d *directory) entry(action []byte) (entry, bool) {
	f, err := d.root.Open(name(action, "-a"))
	if err != nil {
		return entry{}, false
	}
	defer f.Close()
	var buf [256]byte
	n, err := io.ReadFull(f, buf[:])
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		return entry{}, false
	}
	return parseEntry(string(buf[:n]), action)
}

// parseEntry parses the file of an action.
func parseEntry(text string, action []byte) (e entry, ok bool) {
	fields := strings.Fields(text)
	if len(fields) != 5 || !strings.HasSuffix(text, "\n") || fields[0] != "v1" || fields[1] != hex.EncodeToString(action) {
		return e, false
	}
	output, err := hex.DecodeString(fields[2])
	size, err2 := strconv.ParseInt(fields[3], 10, 64)
	at, err3 := strconv.ParseInt(fields[4], 10, 64)
	if errors.Join(err, err2, err3) != nil || len(output) != idSize || size < 0 {
		return e, false
	}
	return entry{output, size, time.Unix(0, at)}, true
}

// put writes what an action has made to the workspace's own cache.
func (c *caches) put(q request, r *response, body io.Reader) error {
	switch {
	case len(q.ActionID) != idSize || len(q.OutputID) != idSize || q.BodySize < 0:
		return errors.New("malformed identifiers")
	case c.own == nil:
		return errors.New("there is no directory to write to")
	}
	data := name(q.OutputID, "-d")
	if info, err := c.own.root.Lstat(data); err != nil || !info.Mode().IsRegular() || info.Size() != q.BodySize {
		if err := c.own.write(data, body, q.BodySize); err != nil {
			return err
		}
	}
	text := fmt.Sprintf(entryFormat, q.ActionID, q.OutputID, q.BodySize, time.Now().UnixNano())
	if err := c.own.write(name(q.ActionID, "-a"), strings.NewReader(text), int64(len(text))); err != nil {
		return err
	}
	r.DiskPath = filepath.Join(c.own.path, data)
	return nil
}

// write writes a file of a size. Another process may write the same one, or read what it
// has; so it is not emptied before. Until the last byte is there, its size is wrong, and
// it counts for nothing.
func (d *directory) write(name string, from io.Reader, size int64) error {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		if err := d.root.Mkdir(filepath.Dir(name), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		f, err = d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	}
	if err != nil {
		return err
	}
	n, err := io.Copy(f, from)
	if err == nil && n != size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return errors.Join(err, f.Truncate(0), f.Close())
	}
	return errors.Join(f.Truncate(size), f.Close())
}

// The go command looks after its own cache once a day, and removes what was not used for
// five days. Times of use are exact to the hour.
const (
	trimInterval = 24 * time.Hour
	trimLimit    = 5 * 24 * time.Hour
	useInterval  = time.Hour
)

// use notes that an entry was used.
func (d *directory) use(action, data string, info fs.FileInfo) {
	now := time.Now()
	if now.Sub(info.ModTime()) < useInterval {
		return
	}
	_ = d.root.Chtimes(action, now, now) // else it is made anew in five days
	_ = d.root.Chtimes(data, now, now)
}

// trim removes what was not used for long from the workspace's own cache.
func (c *caches) trim(now time.Time) {
	const mark = "trim.txt"
	if c.own == nil {
		return
	}
	if info, err := c.own.root.Stat(mark); err == nil && now.Sub(info.ModTime()) < trimInterval {
		return
	}
	text := strconv.FormatInt(now.Unix(), 10)
	if c.own.write(mark, strings.NewReader(text), int64(len(text))) != nil {
		return
	}
	files := c.own.root.FS()
	for i := range 256 {
		dir := fmt.Sprintf("%02x", i)
		entries, err := fs.ReadDir(files, dir)
		if err != nil {
			continue // mostly there is none
		}
		for _, e := range entries {
			info, err := e.Info()
			ours := strings.HasSuffix(e.Name(), "-a") || strings.HasSuffix(e.Name(), "-d")
			if err == nil && ours && now.Sub(info.ModTime()) > trimLimit {
				_ = c.own.root.RemoveAll(dir + "/" + e.Name()) // else it is tried tomorrow
			}
		}
	}
}
