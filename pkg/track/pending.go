package track

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/gitindex"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
)

// A running run has a file in [keptDir], so that another process can record the changes
// of the command if this one is killed. Its name is the run's, followed by the name of
// the file with the scan before; a claim on the run shows that its process is alive.
const (
	pendingSuffix = ".run"
	claimKey      = "\x00run "
	pendingHead   = "helve run 1\n"
	pendingTail   = "end\n"
)

// mostCommand limits the bytes kept of a command line.
const mostCommand = 1000

// pending is the content of such a file.
type pending struct {
	By          journal.Author
	Started, At time.Time // when the run began, and the scan
	Implied     implied
	Only        []string `json:",omitempty"` // see [Run]
	blind       []blind
	missing     []string
}

// implied holds the facts that an index lacks about the files it implies: those that were
// unchanged since the index. They are not in the file with the scan before.
type implied struct {
	Index          string // the blob with its bytes; "" if it implies nothing
	Device         uint64
	Plain, Program fs.FileMode
}

// entry returns the file that an index implies; ok is false if it implies none.
func (i implied) entry(x *gitindex.Entry) (e entry, ok bool) {
	mode := i.Plain
	switch {
	case x.Mode == 0o100755:
		mode = i.Program
	case x.Mode != 0o100644:
		return entry{}, false
	}
	return entry{
		path: x.Path, object: x.OID, clean: true,
		Status: walk.Status{Mode: mode, Size: int64(x.Size), Modified: x.Modified, Changed: x.Changed, Inode: uint64(x.Inode), Device: i.Device},
	}, x.Stage == 0 && !x.Absent
}

// imply marks the entries that the index implies, and returns what they have in common and
// what the index implies although it was not there.
func (r *Run) imply() (i implied, missing []string) {
	if r.git == nil || r.git.objects == nil || r.only != nil {
		return implied{}, nil
	}
	index := r.before.find(indexPath)
	if index == nil || index.blob == "" || index.Modified != r.git.written || index.Size != r.git.size {
		return implied{}, nil // it was written anew meanwhile
	}
	i.Index = index.blob
	entries := r.before.entries
	for n := range r.git.index.Entries {
		x := &r.git.index.Entries[n]
		for len(entries) > 0 && entries[0].path < x.Path {
			entries = entries[1:]
		}
		if len(entries) == 0 || entries[0].path != x.Path {
			if _, ok := i.entry(x); ok {
				missing = append(missing, x.Path)
			}
			continue
		}
		e := entries[0]
		if !e.clean || e.recent {
			continue
		}
		switch { // the first of a kind has the common values of the others
		case x.Mode == 0o100644 && i.Plain == 0:
			i.Plain, i.Device = e.Mode, e.Device
		case x.Mode == 0o100755 && i.Program == 0:
			i.Program, i.Device = e.Mode, e.Device
		}
		same, ok := i.entry(x)
		same.Links = e.Links // which is not kept
		e.implied = ok && same.Status == e.Status && same.object == e.object
	}
	return i, missing
}

// announce writes the file of a run. before is the name of the file of what was there.
func (r *Run) announce(before string, i implied, missing []string) error {
	r.w.step("announce")
	r.by.Run = state.NewID(r.started)
	r.by.Command = r.by.Command[:min(len(r.by.Command), mostCommand)]
	release, ok, err := r.w.State.Claim(claimKey + r.by.Run)
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.Internal, fault.T("the run %s is not new", r.by.Run))
	}
	r.release = release
	p := pending{By: r.by, Started: r.started, At: r.before.at, Implied: i, Only: r.only, blind: r.before.blind, missing: missing}
	text, err := p.encode()
	if err != nil {
		return err
	}
	name := r.by.Run + "." + strings.TrimSuffix(before, keptSuffix) + pendingSuffix
	f, err := r.w.State.Create(keptDir + "/" + name)
	if err != nil {
		return err
	}
	r.file = f.Name()
	_, err = f.Write(text)
	return fault.System(errors.Join(err, f.Close()), r.file)
}

// forget removes the file of a run: nothing is left to record.
func (r *Run) forget() error {
	if r.file == "" {
		return nil
	}
	r.w.step("forget")
	err := os.Remove(r.file)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return fault.System(err, r.file)
}

func (p *pending) encode() ([]byte, error) {
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	b := append(append([]byte(pendingHead), head...), '\n')
	for _, x := range p.blind {
		b = append(strconv.AppendUint(b, uint64(x.why), 36), ' ')
		b = append(strconv.AppendUint(b, x.mark, 36), ' ')
		b = append(strconv.AppendQuote(b, x.path), '\n')
	}
	for _, path := range p.missing {
		b = append(strconv.AppendQuote(append(b, "- "...), path), '\n')
	}
	return append(b, pendingTail...), nil
}

// decodePending reads what encode wrote.
func decodePending(data []byte) (p pending, ok bool) {
	data, ok = bytes.CutPrefix(data, []byte(pendingHead))
	data, ok2 := bytes.CutSuffix(data, []byte(pendingTail))
	head, rest, ok3 := bytes.Cut(data, []byte("\n"))
	if !ok || !ok2 || !ok3 || json.Unmarshal(head, &p) != nil {
		return pending{}, false
	}
	for line := range strings.Lines(string(rest)) {
		line = strings.TrimSuffix(line, "\n")
		if quoted, ok := strings.CutPrefix(line, "- "); ok {
			path, err := strconv.Unquote(quoted)
			if err != nil {
				return pending{}, false
			}
			p.missing = append(p.missing, path)
			continue
		}
		why, line, _ := strings.Cut(line, " ")
		mark, quoted, _ := strings.Cut(line, " ")
		w, err1 := strconv.ParseUint(why, 36, 8)
		m, err2 := strconv.ParseUint(mark, 36, 64)
		path, err3 := strconv.Unquote(quoted)
		if errors.Join(err1, err2, err3) != nil {
			return pending{}, false
		}
		p.blind = append(p.blind, blind{path, reason(w), m})
	}
	return p, true
}

// namesOf returns the name of a run and that of the file of what was there before it.
func namesOf(file string) (id, before string, ok bool) {
	name, ok := strings.CutSuffix(file, pendingSuffix)
	id, sum, ok2 := strings.Cut(name, ".")
	return id, sum + keptSuffix, ok && ok2 && state.IsID(id)
}

// pendings returns the names of the files of runs, the oldest first.
func (w Workspace) pendings() ([]string, error) {
	all, err := w.State.List(keptDir)
	names := all[:0]
	for _, name := range all {
		if strings.HasSuffix(name, pendingSuffix) {
			names = append(names, name)
		}
	}
	return names, err
}

// needed returns the names of the files of what was there before the runs that go on.
func needed(dir string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+pendingSuffix))
	before := map[string]bool{}
	for _, file := range files {
		if _, name, ok := namesOf(filepath.Base(file)); ok {
			before[name] = true
		}
	}
	return before, err
}

// lasting reports whether an error of a recording would only come again.
func lasting(err error) bool { return fault.Is(err, fault.TooLarge) || fault.Is(err, fault.NoHistory) }
