package journal

import (
	"errors"
	"io"
	"path"
	"time"
)

// carryOutLarge carries out an Extend or Replace.
func (j *Journal) carryOutLarge(s step) error {
	at := string(s.Path)
	if s.Op == Extend {
		d, err := j.delta(s.Delta, s.Back)
		if err != nil {
			return err
		}
		return j.tree.Extend(at, s.Pre.Size, d[0].At, d[0].New, s.Post.changed(j))
	}
	shelf, err := j.snapshots()
	if err != nil {
		return err
	}
	if s.Kept != "" {
		if err := j.tree.Keep(at, shelf.dir, s.Kept, s.InPlace); err != nil {
			return err
		}
	}
	j.opt.Step("install " + at)
	if !s.InPlace {
		err := j.tree.Install(shelf.dir, s.Snapshot, at)
		if err == nil && s.Kept == "" || !s.owns() {
			_ = shelf.tree.Rmdir(path.Dir(s.Snapshot)) // it stays if there is more in it
		}
		return err
	}
	if err := j.tree.Rewrite(at, s.Post.changed(j), from(shelf.tree, s.Snapshot, nil)); err != nil {
		return err
	}
	j.opt.Step("drop " + s.Snapshot)
	j.drop(s.Snapshot)
	return nil
}

// changed returns when a file was last changed; now, if nothing depends on it.
func (st *State) changed(j *Journal) time.Time {
	if st.Time != 0 {
		return time.Unix(0, st.Time)
	}
	return j.opt.Now()
}

// takeBackLarge gives a file back the bytes that it had before a step, of which a part
// may be done.
func (j *Journal) takeBackLarge(s step) error {
	at := string(s.Path)
	if s.Op == Extend {
		d, err := j.delta(s.Delta, s.Back)
		if err != nil {
			return err
		}
		info, err := j.tree.Lstat(at)
		if err != nil {
			return err
		}
		rest := d[0].Old
		if n := info.Size() - d[0].At; len(rest) > 0 && n > 0 {
			rest = rest[min(n, int64(len(rest))):]
		}
		return j.tree.Extend(at, info.Size(), s.Pre.Size-int64(len(rest)), rest, s.Pre.changed(j))
	}
	now, err := j.observe(at)
	if err != nil {
		return err
	}
	if same(now.state, s.Pre) {
		j.abandon(s)
		return nil // it failed before the file was changed
	}
	old, err := j.former(s)
	if err != nil {
		return err
	}
	if err := j.tree.Rewrite(at, s.Pre.changed(j), old); err != nil {
		return err
	}
	j.abandon(s)
	return nil
}

// former returns what writes the bytes that a file had before it was replaced in place.
func (j *Journal) former(s step) (func(io.Writer) error, error) {
	shelf, err := j.snapshots()
	if err != nil {
		return nil, err
	}
	if s.Kept != "" {
		return from(shelf.tree, s.Kept, nil), nil
	}
	d, err := j.delta(s.Delta, !s.Back)
	return from(shelf.tree, s.Snapshot, d), err
}

// tornLarge reports whether a file can be the remains of an interrupted Extend, or of an
// interrupted Replace in place.
func (j *Journal) tornLarge(s step, cur *State) bool {
	if cur == nil || cur.Kind != File {
		return false
	}
	if s.Op == Replace {
		return s.InPlace && j.mixed(s) == nil
	}
	d, err := j.delta(s.Delta, s.Back)
	if err != nil || len(d) != 1 {
		return false
	}
	// A part of the new end may be there or, while the step is taken back, of the old one.
	// The time comes last.
	there := cur.Size - d[0].At
	for _, end := range [...][]byte{d[0].New, d[0].Old} {
		if there >= 0 && there <= int64(len(end)) && j.endsWith(string(s.Path), d[0].At, end[:there]) == nil {
			return true
		}
	}
	return false
}

// mixed returns nil if a file has the bytes of its old and of its new version, as one that
// is being overwritten with either.
func (j *Journal) mixed(s step) error {
	old, err := j.former(s)
	if err != nil {
		return err
	}
	shelf, err := j.snapshots()
	if err != nil {
		return err
	}
	f, err := j.tree.Open(string(s.Path))
	if err != nil {
		return err
	}
	defer f.Close()
	was, stop := piped(old)
	defer stop()
	will, stopToo := piped(from(shelf.tree, s.Snapshot, nil))
	defer stopToo()
	const step = 1 << 16
	cur, pre, post := make([]byte, step), make([]byte, step), make([]byte, step)
	for {
		n, err := io.ReadFull(f, cur)
		end := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !end {
			return err
		}
		a, err := full(was, pre)
		if err != nil {
			return err
		}
		b, err := full(will, post)
		if err != nil {
			return err
		}
		if !mixture(cur[:n], pre[:a], post[:b]) {
			return errOther
		}
		if end {
			return nil
		}
	}
}

// full reads as much as there is.
func full(r io.Reader, p []byte) (int, error) {
	n, err := io.ReadFull(r, p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}

// piped returns a reader of what a function writes. stop ends it.
func piped(write func(io.Writer) error) (r io.Reader, stop func()) {
	out, in := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		in.CloseWithError(write(in)) // nil means the end
	}()
	return out, func() {
		_ = out.Close() // never fails
		<-done
	}
}
