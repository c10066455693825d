package job

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/state"
)

// The output of a job is in files of segmentSize bytes, numbered from 0, of which the
// last keepSegments are kept. So the offset of a byte needs no index.

const (
	segmentSize  = 8 << 20 // bytes
	keepSegments = 8
)

func segmentOf(id string, n int64) string {
	return jobsDir + "/" + id + "." + strconv.FormatInt(n, 10) + ".out"
}

// recorder writes the output of a job. It is for one goroutine.
type recorder struct {
	dir  *state.Dir
	id   string
	f    *os.File
	n    int64 // number of f
	left int   // bytes of room in f
	all  int64 // bytes of output
	err  error // the first one; output after it is only counted
}

func (r *recorder) write(b []byte) {
	r.all += int64(len(b))
	for len(b) > 0 && r.err == nil {
		if r.left == 0 {
			if r.err = r.next(); r.err != nil {
				return
			}
		}
		part := b[:min(len(b), r.left)]
		_, r.err = r.f.Write(part)
		r.left -= len(part)
		b = b[len(part):]
	}
}

// next goes on to the next file and removes the oldest.
func (r *recorder) next() error {
	if r.f != nil {
		if err := r.f.Close(); err != nil {
			return err
		}
		r.n++
	}
	if old := r.n - keepSegments; old >= 0 {
		if err := r.dir.Remove(segmentOf(r.id, old)); err != nil {
			return err
		}
	}
	var err error
	r.f, err = r.dir.Create(segmentOf(r.id, r.n))
	r.left = segmentSize
	return err
}

func (r *recorder) close() error {
	if r.f == nil {
		return r.err
	}
	return errors.Join(r.err, r.f.Close())
}

// segments returns the numbers of the files that exist, sorted.
func (s *Store) segments(id string) ([]int64, error) {
	names, err := s.dir.List(jobsDir)
	if err != nil {
		return nil, err
	}
	var all []int64
	for _, name := range names {
		digits, ok := strings.CutPrefix(name, id+".")
		if !ok {
			continue
		}
		if digits, ok = strings.CutSuffix(digits, ".out"); !ok {
			continue
		}
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n >= 0 {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}

// size returns how much a job has printed, 0 if that is not known.
func (s *Store) size(id string) int64 {
	all, err := s.segments(id)
	if err != nil || len(all) == 0 {
		return 0
	}
	last := all[len(all)-1]
	f, err := s.dir.OpenFile(segmentOf(id, last))
	if err != nil {
		return 0
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return last*segmentSize + info.Size()
}

// Output is a part of what a job printed.
type Output struct {
	Data  []byte // bytes as they were printed
	Since int64  // offset of the part in the whole output
	Next  int64  // offset of the next part
	Total int64  // bytes printed so far
}

// Read returns output from an offset on, up to most bytes of it; a negative offset
// counts from the end. If the output there is no longer kept, the part begins later, as
// Since says. A character is not cut in two, unless the output ends there.
func (s *Store) Read(id string, since, most int64) (Output, error) {
	total := s.size(id)
	if since < 0 {
		since = max(0, total+since)
	}
	o := Output{Since: min(since, total), Total: total}
	all, err := s.segments(id)
	if err != nil {
		return o, err
	}
	if len(all) > 0 {
		o.Since = max(o.Since, min(total, all[0]*segmentSize))
	}
	o.Next = o.Since
	for o.Next < total && int64(len(o.Data)) < most {
		part, err := s.part(id, o.Next, min(most-int64(len(o.Data)), total-o.Next))
		if errors.Is(err, fs.ErrNotExist) && len(o.Data) == 0 { // it was removed meanwhile
			o.Since = (o.Next/segmentSize + 1) * segmentSize
			o.Next = o.Since
			continue
		}
		if err != nil {
			return o, err
		}
		if len(part) == 0 {
			break
		}
		o.Data = append(o.Data, part...)
		o.Next += int64(len(part))
	}
	o.dropPartial()
	return o, nil
}

// Ends is the output of a job as text, without what lies between its ends if it is long.
type Ends struct {
	Text        string
	Since, Next int64 // offsets of its beginning and its end
	Total       int64 // bytes printed so far
	Cut         bool  // something is missing
}

// Ends returns the first head and the last tail bytes of the output, in whole lines where
// it is longer.
func (s *Store) Ends(id string, head, tail int) (Ends, error) {
	o, err := s.Read(id, 0, int64(head+tail))
	if err != nil {
		return Ends{}, err
	}
	e := Ends{Since: o.Since, Next: o.Next, Total: o.Total, Cut: o.Since > 0}
	if o.Total-o.Since <= int64(head+tail) {
		e.Text = run.Text(o.Data, false)
		return e, nil
	}
	end, err := s.Read(id, max(o.Since+int64(head), o.Total-int64(tail)), int64(tail))
	if err != nil {
		return Ends{}, err
	}
	begin := o.Data[:min(head, len(o.Data))]
	if i := bytes.LastIndexByte(begin, '\n'); i >= 0 {
		begin = begin[:i+1]
	}
	if i := bytes.IndexByte(end.Data, '\n'); i >= 0 {
		end.Data = end.Data[i+1:]
	}
	gap := fmt.Sprintf("\n[… %d bytes left out …]\n", o.Total-o.Since-int64(len(begin)+len(end.Data)))
	e.Text, e.Next, e.Cut = strings.TrimSuffix(run.Text(begin, false), "\n")+gap+run.Text(end.Data, false), end.Next, true
	return e, nil
}

// dropPartial drops an incomplete character at the end.
func (o *Output) dropPartial() {
	for n := 1; n < utf8.UTFMax && n < len(o.Data); n++ {
		at := len(o.Data) - n
		if utf8.RuneStart(o.Data[at]) {
			if !utf8.FullRune(o.Data[at:]) {
				o.Data, o.Next = o.Data[:at], o.Next-int64(n)
			}
			return
		}
	}
}

// part reads from one file.
func (s *Store) part(id string, at, most int64) ([]byte, error) {
	f, err := s.dir.OpenFile(segmentOf(id, at/segmentSize))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, min(most, segmentSize-at%segmentSize))
	n, err := f.ReadAt(b, at%segmentSize)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], fault.System(err, "job "+id)
}
