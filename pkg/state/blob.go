package state

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/helve-dev/helve/pkg/fault"
)

// blobsKey is the lock of the blobs: shared while blobs are put that nothing refers
// to yet, exclusive for the sweep that removes such blobs.
const blobsKey = reserved + "blobs"

// plainBytes is the size, in bytes, up to which a blob is not worth compressing.
const plainBytes = 4 << 10

// compressed is the suffix of the files of compressed blobs.
const compressed = ".flate"

// MaxBlob is the largest blob, in bytes, and so the largest file that can be
// edited, patched or restored.
const MaxBlob = 32 << 20

// PutBlob keeps data, which may have up to [MaxBlob] bytes, and returns its SHA-256
// as 64 hex digits. Data that is kept already is not written again. With durable
// it is on the disk, and checked, when PutBlob returns.
//
// A blob is kept as long as a log of the top directory, a file of [TrackDir] or a
// session record names it. Until then the caller holds the lock of ShareBlobs.
func (d *Dir) PutBlob(data []byte, durable bool) (sha string, err error) {
	if len(data) > MaxBlob {
		return "", tooLarge("blob", int64(len(data)), MaxBlob)
	}
	p, err := d.use()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	sha = hex.EncodeToString(sum[:])
	name := blobName(sha)
	if len(data) > plainBytes {
		name += compressed
	}
	kept, err := d.keeps(p, name, sha, durable)
	if err == nil && !kept {
		err = p.stream(name, durable, func(w io.Writer) error {
			if len(data) > plainBytes {
				return d.codec.compress(w, data)
			}
			_, err := w.Write(data)
			return err
		})
	}
	return sha, fault.System(err, p.shown(name))
}

// keeps reports whether a blob is kept. If it must be durable, its file is read,
// checked and synced; a damaged one does not count.
func (d *Dir) keeps(p *opened, name, sha string, durable bool) (bool, error) {
	if !durable {
		_, err := p.dir.Lstat(name)
		return err == nil, nil
	}
	data, err := d.load(p, name)
	if err != nil || hash(data) != sha {
		return false, nil //nolint:nilerr // writing it again reports any error that remains
	}
	f, err := p.dir.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	err = f.Sync()
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = syncDir(p.dir, path.Dir(name))
	}
	return err == nil, err
}

// Blob returns the data with a SHA-256. The error is not_found if it is not kept,
// and io_error if the file is damaged.
func (d *Dir) Blob(sha string) ([]byte, error) {
	if !isHash(sha) {
		return nil, notHash(sha)
	}
	p, err := d.use()
	if err != nil {
		return nil, err
	}
	var data []byte
	var name string
	for _, name = range forms(sha) {
		if data, err = d.load(p, name); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notKept(sha)
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fault.System(err, p.shown(name))
	}
	if err != nil || hash(data) != sha {
		return nil, fault.New(fault.IOError, fault.T("the saved copy %s is damaged", sha[:16])).
			WithHint(fault.T("nothing was changed; the copy cannot be restored")).
			WithDetails(map[string]string{"blob": sha}).Because(err)
	}
	return data, nil
}

// BlobBytes returns how many bytes a blob takes on disk. The errors are those of
// Blob, except that damage is not noticed.
func (d *Dir) BlobBytes(sha string) (int64, error) {
	if !isHash(sha) {
		return 0, notHash(sha)
	}
	p, err := d.use()
	if err != nil {
		return 0, err
	}
	for _, name := range forms(sha) {
		switch info, err := p.dir.Lstat(name); {
		case err == nil:
			return info.Size(), nil
		case !errors.Is(err, fs.ErrNotExist):
			return 0, fault.System(err, p.shown(name))
		}
	}
	return 0, notKept(sha)
}

// ShareBlobs keeps the sweep out until release is called. A caller that puts a blob
// and then names it in a log calls release after both.
func (d *Dir) ShareBlobs(ctx context.Context) (release func() error, err error) {
	return d.lock(ctx, true, d.patience(ctx), blobsKey)
}

// forms are the names that the file of a blob may have. Most blobs are compressed.
func forms(sha string) [2]string { return [2]string{blobName(sha) + compressed, blobName(sha)} }

func notHash(sha string) error {
	return fault.New(fault.InvalidArguments, fault.T("not a SHA-256: %q", sha))
}

func notKept(sha string) error {
	return fault.New(fault.NotFound, fault.T("no saved copy %s", sha[:16])).Because(fs.ErrNotExist)
}

func (d *Dir) load(p *opened, name string) ([]byte, error) {
	if path.Ext(name) != compressed {
		return p.read(name, plainBytes)
	}
	f, err := p.dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return d.codec.expand(f)
}

func blobName(sha string) string { return blobDir + "/" + sha[:2] + "/" + sha[2:] }

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// isHash reports whether hash can have returned s.
func isHash(s string) bool {
	if len(s) != 2*sha256.Size {
		return false
	}
	for i := range len(s) {
		if !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }
