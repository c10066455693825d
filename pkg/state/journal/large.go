package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Files that are too large for memory change in two further ways, each the only step of
// its group.
//
// Extend adds bytes to the end of a file in place, or takes them away again. The file is
// not read. After a crash its length and its end show how far it came.
//
// Replace puts another file in the place of one. That file is composed among the
// snapshots, from the old bytes and a delta or from bytes of the caller, and renamed over
// the old one. The step keeps the delta or, if there is none, the old file itself under
// another name, so that it takes no further room. Undo applies the inverse delta or
// installs the kept file. A file that must be overwritten in place gets the bytes of the
// composed one; until that is done, the kept one or the inverse delta gives the old bytes
// back.

// hashedBytes is up to which size the result of a delta is hashed. Above it, a file is
// known by its size and the time of its last change alone.
const hashedBytes = 256 << 20

// large returns the file that a change of its own kind replaces or extends.
func (p *planner) large(w want) (*State, error) {
	hash := w.Expect
	if w.Found != nil {
		w.Expect = "" // the file is known without reading it again
	}
	cur, err := p.find(w)
	switch {
	case err != nil:
		return nil, err
	case !p.alone:
		return nil, fault.New(fault.TooLarge, fault.T("%s is too large to be changed together with others", w.Path)).
			WithHint(fault.T("change or undo it in a call of its own"))
	case cur == nil:
		return nil, w.missing(w.Path)
	case cur.Kind == Dir:
		return nil, isDirectory(w.Path)
	case cur.Kind == Link:
		return nil, isLink(w.Path)
	}
	if was := w.Found; was != nil {
		now := p.disk[w.Path].info
		if was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime()) || !workspace.SameFile(was, now) {
			return nil, stale(w.Path)
		}
	}
	if cur.SHA == "" && w.Found != nil && isHash(hash) {
		cur.SHA = hash
	}
	return cur, nil
}

// changes returns the delta of a change and the blob that has it.
func (p *planner) changes(w want) (d delta, blob string, err error) {
	if w.blob == "" {
		d = w.Splices
		if err := d.check(); err != nil {
			return nil, "", err
		}
		p.j.opt.Step("save the changes of " + w.Path)
		blob, err = p.j.dir.PutBlob(d.encode(), true)
		return d, blob, err
	}
	d, err = p.j.delta(w.blob, w.back)
	if err != nil {
		err = lostBytes(w.Path, err)
	}
	return d, w.blob, err
}

// delta returns a delta that is kept, or its inverse.
func (j *Journal) delta(blob string, back bool) (delta, error) {
	raw, err := j.dir.Blob(blob)
	if err != nil {
		return nil, err
	}
	d, err := decodeDelta(raw)
	if err != nil {
		return nil, fault.System(err, blob)
	}
	if back {
		d = d.inverse()
	}
	return d, nil
}

// extend plans to add bytes to the end of a file, or to take them away.
func (p *planner) extend(w want) error {
	cur, err := p.large(w)
	if err != nil {
		return err
	}
	d, blob, err := p.changes(w)
	if err != nil {
		return err
	}
	if len(d) != 1 || len(d[0].Old) > 0 && len(d[0].New) > 0 {
		return fault.New(fault.Internal, fault.T("%s: not a change of the end", w.Path))
	}
	s := d[0]
	if err := p.j.endsWith(w.Path, s.At, s.Old); err != nil {
		return w.unlike(cur, err)
	}
	post := &State{Kind: File, Mode: cur.Mode, Size: s.At + int64(len(s.New)), SHA: w.Sum}
	if w.becomes != nil {
		post.SHA = w.becomes.SHA
	}
	if post.SHA == "" && post.Size <= state.MaxBlob {
		if post.SHA, err = p.j.sum(w.Path, d); err != nil {
			return w.unlike(cur, err)
		}
	}
	post.stamp(p.j.opt.Now().Truncate(time.Microsecond))
	st := step{Op: Extend, Path: lossless(w.Path), Pre: cur, Post: post, InPlace: true, Delta: blob, Back: w.back}
	if w.becomes != nil {
		st.Again = w.becomes.Time
	}
	p.do(action{step: st})
	return nil
}

// stamp notes when a file was last changed, if it is known by that.
func (st *State) stamp(at time.Time) {
	if st.Size > state.MaxBlob {
		st.Time = at.UnixNano()
	}
}

// unlike returns the error of a file that is not what a delta was made for.
func (w want) unlike(cur *State, err error) error {
	if !errors.Is(err, errOther) {
		return fault.System(err, w.Path)
	}
	if w.exact {
		return changed(w.Path, w.state, cur)
	}
	return stale(w.Path)
}

// endsWith returns errOther unless the file has these bytes at an offset and then ends.
func (j *Journal) endsWith(path string, at int64, tail []byte) error {
	f, err := j.tree.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	there := make([]byte, len(tail)+1)
	n, err := f.ReadAt(there, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !bytes.Equal(there[:n], tail) || info.Size() != at+int64(n) {
		return errOther
	}
	return nil
}

// sum returns the hash of what a delta makes of a file.
func (j *Journal) sum(path string, d delta) (string, error) {
	h := sha256.New()
	if err := j.become(path, d)(h); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// become returns what writes the bytes that a delta makes of a file.
func (j *Journal) become(path string, d delta) func(io.Writer) error {
	return func(w io.Writer) error { return from(j.tree, path, d)(w) }
}

// from returns what writes the bytes of a file, changed by a delta.
func from(tree Tree, path string, d delta) func(io.Writer) error {
	return func(w io.Writer) error {
		f, err := tree.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(d.apply(w, f), f.Close())
	}
}

// replace plans to put another file in the place of one.
func (p *planner) replace(w want) error {
	cur, err := p.large(w)
	if err != nil {
		return err
	}
	s, err := p.j.snapshots()
	if err != nil {
		return err
	}
	st := step{Op: Replace, Path: lossless(w.Path), Pre: cur, Snapshot: w.snapshot, Back: w.back}
	st.InPlace = p.j.tree.InPlace(w.Path) || p.j.tree.Apart(w.Path, s.dir)
	if w.snapshot != "" {
		held, err := p.describe(w.snapshot)
		if err != nil {
			return err
		}
		if !same(held, w.held) || held == nil {
			return lostBytes(w.Path, fault.New(fault.NotFound, fault.T("nothing is kept of %s", w.Path)))
		}
		post := *w.held
		st.Post = &post
	} else if err := p.stage(w, cur, &st, s); err != nil {
		return err
	}
	if st.Delta == "" {
		if st.Kept, err = p.newSnapshot(); err != nil {
			return err
		}
	}
	if err := p.syncGroup(s); err != nil {
		return err
	}
	p.do(action{step: st})
	return nil
}

// stage composes the new file of a step.
func (p *planner) stage(w want, cur *State, st *step, s snapshots) (err error) {
	fill := func(out io.Writer) error {
		_, err := out.Write(w.Content)
		return err
	}
	size := int64(len(w.Content))
	if w.blob != "" || len(w.Splices) > 0 {
		var d delta
		if d, st.Delta, err = p.changes(w); err != nil {
			return err
		}
		fill, size = p.j.become(w.Path, d), cur.Size
		for _, one := range d {
			size += int64(len(one.New) - len(one.Old))
		}
	}
	if st.Snapshot, err = p.newSnapshot(); err != nil {
		return err
	}
	hash := sha256.New()
	made := fill
	if size <= hashedBytes {
		made = func(out io.Writer) error {
			hash.Reset()
			return fill(hashed{out, hash})
		}
	}
	p.staged = append(p.staged, st.Snapshot)
	p.j.opt.Step("compose " + w.Path)
	if err := p.j.tree.Stage(w.Path, s.dir, st.Snapshot, made); err != nil {
		return w.unlike(cur, err)
	}
	info, err := s.tree.Lstat(st.Snapshot)
	if err != nil {
		return err
	}
	st.Post = &State{Kind: File, Mode: cur.Mode, Size: info.Size()}
	if st.Post.stamp(info.ModTime()); size <= hashedBytes {
		st.Post.SHA = hex.EncodeToString(hash.Sum(nil))
	}
	if b := w.becomes; b != nil {
		if st.Again = b.Time; b.SHA != "" && st.Post.SHA != "" && b.SHA != st.Post.SHA {
			return w.unlike(cur, errOther)
		}
	}
	return nil
}

// syncGroup makes the directory of this group's snapshots durable.
func (p *planner) syncGroup(s snapshots) error {
	if p.group == "" {
		return nil
	}
	return s.tree.Sync([]string{p.group})
}

// discard removes the files that were composed for steps that are not carried out.
func (p *planner) discard() {
	for _, item := range p.staged {
		p.j.drop(item)
	}
}

// drop removes a snapshot of one file. What cannot be removed, the sweep removes.
func (j *Journal) drop(item string) {
	s, err := j.snapshots()
	if err != nil {
		return
	}
	if s.tree.Remove(item) == nil {
		_ = s.tree.Rmdir(path.Dir(item)) // it stays if there is more in it
	}
}

// owns reports whether the file that a step installs was made for it. Otherwise it is
// what another entry keeps.
func (s step) owns() bool { return s.Kept == "" || path.Dir(s.Kept) == path.Dir(s.Snapshot) }

// abandon removes what was made for a step that is not carried out.
func (j *Journal) abandon(s step) {
	if s.Op != Replace {
		return
	}
	if s.Kept != "" {
		j.drop(s.Kept)
	}
	if s.owns() {
		j.drop(s.Snapshot)
	}
}

// keptLarge returns how many bytes of an old file the step keeps under another name.
func (s step) keptLarge() int64 {
	if s.Kept == "" {
		return 0
	}
	return s.Pre.Size
}
