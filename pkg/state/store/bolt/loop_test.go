package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// A page that leads back to one above it, or to one beside it, is found: neither reading
// nor writing follows it for ever.
func TestLoop(t *testing.T) {
	s := fresh(t)
	if err := s.Update(t.Context(), func(tx store.Tx) error {
		for i := range 4000 {
			if _, _, err := tx.Append("s", fmt.Sprint("m", i), make([]byte, 200)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	path, _, err := s.enter(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	branches := branchesOf(whole)
	if len(branches) < 3 {
		t.Fatalf("the tree has the branches %d: too small for this test", branches)
	}
	use := func() (read, written error) {
		read = s.View(t.Context(), func(r store.Reader) error {
			_, err := r.Read("s", 0, 10_000)
			return err
		})
		written = s.Update(t.Context(), func(tx store.Tx) error { return tx.Put("a", []byte("b")) })
		return read, written
	}
	for _, from := range branches {
		count := int(binary.NativeEndian.Uint16(whole[from*pageSize+10:]))
		for _, element := range []int{0, count / 2, count - 1} {
			for _, to := range append([]int{0, 1, len(whole)/pageSize + 9}, branches...) {
				at := from*pageSize + 16 + element*16 + 8 // the header of a page has 16 bytes, and so has an element
				if binary.NativeEndian.Uint64(whole[at:]) == uint64(to) {
					continue
				}
				overwrite(t, path, at, binary.NativeEndian.AppendUint64(nil, uint64(to)))
				if read, written := use(); !fault.Is(read, fault.BadDocument) || !fault.Is(written, fault.BadDocument) {
					t.Fatalf("page %d leads to %d: read %v, written %v", from, to, read, written)
				}
				overwrite(t, path, at, whole[at:at+8])
			}
		}
	}
	if read, written := use(); read != nil || written != nil {
		t.Errorf("the file as it was: %v, %v", read, written)
	}
}

// After damage was met, the lock of the file is free: what is asked of the store next is
// told of the damage as well, and of no other program.
func TestDamageFreesLock(t *testing.T) {
	s := fresh(t)
	write := func(key string) error {
		return s.Update(t.Context(), func(tx store.Tx) error { return tx.Put(key, make([]byte, 3*pageSize)) })
	}
	if err := errors.Join(write("a"), write("b")); err != nil {
		t.Fatal(err)
	}
	path, _, err := s.enter(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, path, 2*pageSize, make([]byte, info.Size()-2*pageSize)) // all but the headers
	for range 2 {
		read := s.View(t.Context(), func(r store.Reader) error {
			_, err := r.Get("a")
			return err
		})
		if written := write("c"); !fault.Is(read, fault.BadDocument) || !fault.Is(written, fault.BadDocument) {
			t.Errorf("read %v, written %v", read, written)
		}
	}
}

// overwrite writes bytes into a file.
func overwrite(t *testing.T, path string, at int, bytes []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(bytes, int64(at))
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// branchesOf returns the numbers of the pages of a file that are branches.
func branchesOf(file []byte) (all []int) {
	for id := 2; id < len(file)/pageSize; id++ {
		if page := file[id*pageSize:]; binary.NativeEndian.Uint16(page[8:]) == 1 && binary.NativeEndian.Uint64(page) == uint64(id) {
			all = append(all, id)
		}
	}
	return all
}
