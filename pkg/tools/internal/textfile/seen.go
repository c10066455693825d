package textfile

import (
	"strings"

	"github.com/helve-dev/helve/pkg/files/shown"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Output describes the lines of a file in the output of a search or a command.
type Output struct {
	Real string // the path relative to the root, without links
	// Shows returns which lines of the file are shown, by their numbers from 1, given
	// all of them without their endings; none if the file is not what was shown any more.
	Shows func(lines []string) []int
}

// RecordSeen records that output shows lines of files. It reads the files for that, up
// to most bytes of all.
//
// A file is left alone if it has more bytes than are left or than the record keeps, is
// no text, is denied to the tool or gone. The call has shown what it has shown, and
// what is not recorded is matched as if it had never been seen. A failure to record is
// a warning, as in [Record].
func RecordSeen(call *tool.Call, most int, outputs ...Output) {
	root, err := call.Env.Root()
	if err != nil {
		return
	}
	for _, o := range outputs {
		if call.Hidden != nil && call.Hidden(o.Real) {
			continue
		}
		raw := small(root, o.Real, min(most, maxSnapshot))
		most -= len(raw)
		if err := o.record(call, raw); err != nil {
			warn(call, err)
			return
		}
	}
}

// small returns the bytes of a file that has at most a number of them; else none.
func small(root *workspace.Root, path string, most int) []byte {
	f, err := root.Open(root.At(path))
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > int64(most) {
		return nil
	}
	raw, err := readAll(f, info.Size())
	if err != nil || len(raw) > most { // it grows
		return nil
	}
	return raw
}

// ranges returns the lines that are shown of a text.
func (o *Output) ranges(text string) (all []state.Range) {
	for _, n := range o.Shows(strings.Split(strings.TrimSuffix(shown.LF(text), "\n"), "\n")) {
		all = append(all, state.Range{Start: n, End: n})
	}
	return all
}

// record records the lines that are shown of a file with some bytes.
func (o *Output) record(call *tool.Call, raw []byte) error {
	d, err := text.Decode(raw, "")
	if err != nil || len(raw) == 0 {
		return nil //nolint:nilerr // what is no text has no lines
	}
	ranges, key := o.ranges(d.Text), o.Real
	if cells, ok := rendered(o.Real, raw); ok && len(ranges) == 0 {
		ranges, key = o.ranges(cells), o.Real+cellsKey
	}
	if len(ranges) == 0 {
		return nil
	}
	return record(call, key, raw, state.Entry{SHA: text.Sum(raw), Ranges: state.Joined(ranges), By: state.Seen})
}
