package track

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/workspace"
)

// The files of the state directory: what was there before a command, but for what git's
// index tells, named by its SHA-256.
const (
	keptDir    = state.TrackDir
	keptSuffix = ".before"
	keptFiles  = 8 // the newest that stay, for the commands that run now and the next one
)

// keep makes sure that the content of every file is available while the command runs, and
// afterwards if this process is killed. If the workspace has not changed since an earlier
// command, only the file of the run is written.
func (r *Run) keep(ctx context.Context) error {
	copies, err := r.missing()
	if err != nil {
		return err
	}
	release, err := r.w.State.ShareBlobs(ctx)
	if err != nil {
		return err
	}
	r.w.step("copy")
	if err = r.copy(ctx, copies); err == nil {
		err = r.write()
	}
	return errors.Join(err, release())
}

// missing finds the content of every file, and returns the files that have to be copied.
func (r *Run) missing() (copies []*entry, err error) {
	r.git.convert(r.w, r.before)
	old, err := r.w.lastKept()
	if err != nil {
		return nil, err
	}
	index := r.git.cursor()
	for _, e := range r.before.entries {
		if !e.isFile() {
			continue
		}
		if e.object, e.clean = r.git.clean(e, &index); e.clean {
			continue
		}
		if was, ok := old[e.path]; ok && was.same(e) && was.blob != "" && !e.recent {
			e.blob = was.blob
			continue
		}
		switch {
		case e.Size > largest:
			e.gap = tooLarge
		case e.ignored && e.Size > largestIgnored:
			e.gap = ignoredOutput
		default:
			copies = append(copies, e)
		}
	}
	return copies, nil
}

// copy puts the bytes of files into blobs, as far as the budget goes. The smallest files
// come first, so that most are covered.
func (r *Run) copy(ctx context.Context, copies []*entry) error {
	slices.SortStableFunc(copies, func(a, b *entry) int { return int(min(max(a.Size-b.Size, -1), 1)) })
	var left atomic.Int64
	left.Store(budget)
	late := time.Now().Add(patience)
	var next atomic.Int64
	var mu sync.Mutex
	var failed error
	var all walk.Group
	for range walk.Workers() {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(copies)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				e := copies[i]
				if left.Add(-e.Size) < 0 || time.Now().After(late) {
					e.gap = overBudget
					continue
				}
				if err := r.copyOne(e); err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
				}
			}
		}, func() {})
	}
	all.Wait()
	return errors.Join(failed, context.Cause(ctx))
}

// copyOne copies a file. One that cannot be read, or changes meanwhile, is not covered;
// an error concerns the state directory.
func (r *Run) copyOne(e *entry) error {
	data, err := r.w.Root.Tree().ReadFile(workspace.Escape(e.path))
	if err != nil {
		e.gap = unreadable
		return nil //nolint:nilerr // the gap says it
	}
	if info, err := r.w.Root.Lstat(r.w.Root.At(workspace.Escape(e.path))); err != nil || info.Size() != e.Size || int64(len(data)) != e.Size || info.ModTime().UnixNano() != e.Modified {
		e.gap = unreadable
		return nil //nolint:nilerr // it is said of the file if the command changes it
	}
	e.blob, err = r.w.State.PutBlob(data, false)
	return err
}

// write writes what git's index does not tell, unless it is written already, and the file
// of the run.
func (r *Run) write() error {
	how, missing := r.imply()
	text := encode(r.before.entries, false)
	sum := sha256.Sum256(text)
	name := hex.EncodeToString(sum[:]) + keptSuffix
	dir, err := r.w.State.Directory(keptDir)
	if err != nil {
		return err
	}
	r.w.step("before")
	file := filepath.Join(dir, name)
	if info, err := os.Lstat(file); err == nil && info.Size() == int64(len(text)) {
		now := time.Now()
		if err := os.Chtimes(file, now, now); err != nil { // it is the newest again
			return fault.System(err, file)
		}
		return r.announce(name, how, missing)
	}
	if err := r.w.State.Put(keptDir+"/"+name, text); err != nil {
		return err
	}
	if err := r.announce(name, how, missing); err != nil {
		return err
	}
	return prune(dir)
}

// kept lists the files of earlier commands, the newest first.
func kept(dir string) ([]fs.FileInfo, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"+keptSuffix))
	if err != nil {
		return nil, err
	}
	var all []fs.FileInfo
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	return all, nil
}

// prune removes the files of commands of long ago.
func prune(dir string) error {
	all, err := kept(dir)
	if err != nil {
		return fault.System(err, dir)
	}
	still, err := needed(dir)
	if err != nil {
		return fault.System(err, dir)
	}
	for _, info := range all[min(keptFiles, len(all)):] {
		if still[info.Name()] {
			continue
		}
		if err := os.Remove(filepath.Join(dir, info.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.System(err, dir)
		}
	}
	return nil
}

// lastKept returns what was there before the last command, by path.
func (w Workspace) lastKept() (map[string]*entry, error) {
	dir, err := w.State.Directory(keptDir)
	if err != nil {
		return nil, err
	}
	all, err := kept(dir)
	if err != nil || len(all) == 0 {
		return nil, fault.System(err, dir)
	}
	data, err := w.State.ReadFile(keptDir + "/" + all[0].Name())
	if err != nil {
		return nil, nil //nolint:nilerr // another process removed it: then everything is copied again
	}
	entries, ok := decode(data)
	if !ok {
		return nil, nil // a crash cut it off
	}
	byPath := make(map[string]*entry, len(entries))
	for _, e := range entries {
		byPath[e.path] = e
	}
	return byPath, nil
}

// head and tail enclose the lines of a file of [keptDir].
const (
	head = "helve before 1\n"
	tail = "end\n"
)

// encode writes a line for each entry: numbers, then where its content is, the path and
// the target of a link. What git's index implies is left out unless all is asked for.
func encode(entries []*entry, all bool) []byte {
	b := []byte(head)
	for _, e := range entries {
		if e.implied && !all {
			continue
		}
		numbers := []int64{int64(e.Mode), e.Size, e.Modified, e.Changed, int64(e.Inode), int64(e.Device)}
		switch {
		case e.recent && e.isFile():
			numbers[3] = -1 // the next scan must not take these times for its own
		case e.isDir():
			numbers = []int64{int64(e.Mode), 0, 0, 0, int64(e.Inode), int64(e.Device)}
		}
		for _, n := range numbers {
			b = append(strconv.AppendInt(b, n, 36), ' ')
		}
		b = append(append(b, e.source()...), ' ')
		b = append(strconv.AppendQuote(b, e.path), ' ')
		b = append(strconv.AppendQuote(b, e.target), '\n')
	}
	return append(b, tail...)
}

// decode reads what encode wrote.
func decode(data []byte) (entries []*entry, ok bool) {
	data, ok = bytes.CutPrefix(data, []byte(head))
	data, ok2 := bytes.CutSuffix(data, []byte(tail))
	if !ok || !ok2 {
		return nil, false
	}
	for line := range strings.Lines(string(data)) {
		e, ok := decodeLine(strings.TrimSuffix(line, "\n"))
		if !ok {
			return nil, false
		}
		entries = append(entries, &e)
	}
	return entries, true
}

func decodeLine(line string) (e entry, ok bool) {
	var numbers [6]int64
	for i := range numbers {
		word, rest, found := strings.Cut(line, " ")
		n, err := strconv.ParseInt(word, 36, 64)
		if !found || err != nil {
			return e, false
		}
		numbers[i], line = n, rest
	}
	source, line, ok := strings.Cut(line, " ")
	if !ok {
		return e, false
	}
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil || !strings.HasPrefix(line[len(quoted):], " ") {
		return e, false
	}
	var err2 error
	e.path, err = strconv.Unquote(quoted)
	e.target, err2 = strconv.Unquote(line[len(quoted)+1:])
	e.Mode, e.Size, e.Modified, e.Changed = fs.FileMode(numbers[0]), numbers[1], numbers[2], numbers[3]
	e.Inode, e.Device = uint64(numbers[4]), uint64(numbers[5])
	return e, e.setSource(source) && err == nil && err2 == nil && e.path != ""
}
