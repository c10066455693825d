package textfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
)

// sampleBytes is the size of the samples at both ends of a large file that show its
// encoding and line endings.
const sampleBytes = 1 << 20

// Large is a file that is too large for memory, as it was when it was opened. The caller
// closes it.
type Large struct {
	*os.File
	Path string // relative to the root, as the call named it
	Real string // the file it leads to
	Info fs.FileInfo
	SHA  string // see [text.Sum]; "" if it was not hashed

	sum  []byte // of which SHA is the beginning
	hash []byte // the state of the hash after all bytes
	call *tool.Call
}

// OpenLarge opens the file at path if it would have more bytes than can be changed in
// memory, with more added to its end. Otherwise it returns nil and no fault: then the
// file is for [Load].
func OpenLarge(call *tool.Call, path string, more int) (*Large, error) {
	root, at, err := call.Confined(path)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(at)
	if err != nil || !info.Mode().IsRegular() || info.Size()+int64(more) <= state.MaxBlob {
		return nil, nil //nolint:nilerr // Load says what is wrong
	}
	real, err := root.Resolve(at, schema.WritePath)
	if err != nil {
		return nil, err
	}
	in, err := root.Open(at)
	if err != nil {
		return nil, err
	}
	if info, err = in.Stat(); err != nil {
		return nil, errors.Join(fault.System(err, path), in.Close())
	}
	return &Large{File: in, Path: path, Real: real.String(), Info: info, call: call}, nil
}

// Hashes reports whether the file is to be hashed: it is not larger than what reading
// hashes, or the call names the sha that it must have.
func (l *Large) Hashes(expect string) bool { return expect != "" || l.Info.Size() <= text.WholeBytes }

// Reader returns what learns the sha of a file from all its bytes, in order, and what ends
// that. Without wanted, both do nothing.
func (l *Large) Reader(wanted bool) (read func([]byte), end func() error) {
	if !wanted {
		return func([]byte) {}, func() error { return nil }
	}
	h := sha256.New()
	return func(b []byte) { _, _ = h.Write(b) }, func() error {
		l.sum = h.Sum(nil)
		l.SHA = hex.EncodeToString(l.sum)[:16]
		var err error
		l.hash, err = h.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
		return err
	}
}

// Read reads all of the file, counts its lines and, if wanted, learns its sha.
func (l *Large) Read(ctx context.Context, wanted bool) (lines int, err error) {
	read, end := l.Reader(wanted)
	b := make([]byte, 1<<20)
	last := byte('\n')
	in := io.NewSectionReader(l.File, 0, l.Info.Size())
	for {
		n, err := in.Read(b)
		read(b[:n])
		if n > 0 {
			lines += bytes.Count(b[:n], []byte{'\n'})
			last = b[n-1]
		}
		switch {
		case errors.Is(err, io.EOF):
			if last != '\n' {
				lines++
			}
			return lines, end()
		case err != nil:
			return 0, fault.System(err, l.Path)
		case ctx.Err() != nil:
			return 0, context.Cause(ctx)
		}
	}
}

// Sample returns both ends of the file as one that is small: for its encoding and line
// endings. Its Raw ends as the file does.
func (l *Large) Sample() (*File, error) {
	size := l.Info.Size()
	n := min(size/2, sampleBytes)
	raw := make([]byte, 2*n)
	for _, part := range [...]struct {
		to []byte
		at int64
	}{{raw[:n], 0}, {raw[n:], size - n}} {
		if _, err := l.ReadAt(part.to, part.at); err != nil && !errors.Is(err, io.EOF) {
			return nil, fault.System(err, l.Path)
		}
	}
	// Both ends consist of whole lines, so that no character is cut.
	if i := bytes.LastIndexByte(raw[:n], '\n'); i >= 0 {
		if k := bytes.IndexByte(raw[n:], '\n'); k >= 0 && n+int64(k)+1 < int64(len(raw)) {
			raw = slices.Concat(raw[:i+1], raw[n+int64(k)+1:])
		}
	}
	f := &File{Path: l.Path, Real: l.Real, Exists: true, Raw: raw, SHA: l.SHA, Bytes: size, call: l.call}
	f.Document, f.Problem = text.Decode(raw, "")
	return f, nil
}

// Plain fails unless the sample shows text in UTF-8, in which bytes can be found and
// added without reading the rest.
func (f *File) Plain() error {
	if f.Document == nil {
		return f.Problem
	}
	if f.Document.Encoding == text.UTF8 {
		return nil
	}
	return fault.New(fault.EncodingUnsupported, fault.T("%s is in %s; a file of this size can only be changed in UTF-8", f.Path, f.Document.Encoding)).
		WithHint(fault.T("convert it with a program such as iconv, or change it with one such as sed"))
}

// Summed returns the complete SHA-256, and what it is after bytes are appended; "" if the
// file was not hashed.
func (l *Large) Summed(more []byte) (before, after string, err error) {
	if l.sum == nil {
		return "", "", nil
	}
	h := sha256.New()
	if err := h.(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(l.hash); err != nil {
		return "", "", err
	}
	_, _ = h.Write(more) // a hash takes everything
	return hex.EncodeToString(l.sum), hex.EncodeToString(h.Sum(nil)), nil
}

// Apply makes a change of the file, which must still be the one that was opened. It
// returns the sha after it, "" if the file is too large for one, and the id that undoes
// it.
func (l *Large) Apply(ctx context.Context, toolName string, c journal.Change) (sha, undoID string, err error) {
	c.Path, c.Found = l.Real, l.Info
	if l.sum != nil {
		c.Expect = hex.EncodeToString(l.sum)
	}
	done, err := l.call.Tx.Apply(ctx, toolName, l.call.Env.Session, c)
	if err != nil {
		return "", "", err
	}
	for _, w := range done.Warnings {
		l.call.Warn(w)
	}
	for _, f := range done.Files {
		if f.After != nil && len(f.After.SHA) > 16 {
			sha = f.After.SHA[:16]
		}
	}
	return sha, done.ID, nil
}

// Record records that the session knows the file after a change as well as before it.
func (l *Large) Record(sha string) { RecordSums(l.call, l.Real, l.SHA, sha) }

// RecordSums records that the session, which changed a file from one version to another,
// knows the later one as well as the earlier one, by their shas alone. Without these it
// records nothing; then a later change of all of the file is stale until it is read.
func RecordSums(call *tool.Call, real, before, after string) {
	if before == "" || after == "" {
		return
	}
	entries, err := shownOf(call, real)
	if err != nil {
		warn(call, err)
		return
	}
	for _, e := range entries {
		if e.SHA == before && e.By == "" && !e.Past {
			warn(call, record(call, real, nil, state.Entry{SHA: after, Ranges: e.Ranges, Follows: before}))
			return
		}
	}
}

// Known reports whether the session has read the file.
func (l *Large) Known() (bool, error) {
	entries, err := shownOf(l.call, l.Real)
	return slices.ContainsFunc(entries, func(e state.Entry) bool { return e.By == "" }), err
}

// Lost returns the fault of replacing all of the file although it has changed since the
// session read it, as [Knowledge.Lost] does. It reports whether the session has read it.
func (l *Large) Lost(ctx context.Context) (known bool, err error) {
	entries, err := shownOf(l.call, l.Real)
	if err != nil {
		return false, err
	}
	entries = slices.DeleteFunc(entries, func(e state.Entry) bool { return e.By != "" || e.Past })
	if len(entries) == 0 {
		return false, nil
	}
	if entries[0].SHA == "" {
		l.call.Warn(fault.T("%s has no sha at this size: whether it has changed since it was read is not known", l.Path))
		return true, nil
	}
	if l.sum == nil {
		if _, err := l.Read(ctx, true); err != nil {
			return true, err
		}
	}
	if slices.ContainsFunc(entries, func(e state.Entry) bool { return e.SHA == l.SHA }) {
		return true, nil
	}
	return true, fault.New(fault.Stale, fault.T("%s has changed since this session read it; writing it whole would lose that", l.Path)).
		WithHint(fault.T("read it again, then write it")).WithDetails(map[string]any{"sha": l.SHA})
}
