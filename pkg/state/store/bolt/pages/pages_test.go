package pages

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"
)

// sample is a file of bbolt with a number of records, some of them changed later.
func sample(t testing.TB, count int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sample")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{PageSize: 1 << 10, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	for round := range 3 {
		err := db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			if err != nil {
				return err
			}
			if _, err := b.NextSequence(); err != nil {
				return err
			}
			for i := 0; i < count; i += 1 + round {
				if err := b.Put(fmt.Appendf(nil, "key %05d", i), bytes.Repeat([]byte{byte('a' + round)}, i%40)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWalk(t *testing.T) {
	for _, count := range []int{1, 5, 200, 5000} { // the first two are inside the page of the tree of buckets
		data := sample(t, count)
		var before []byte
		n := 0
		got, err := Walk(bytes.NewReader(data), int64(len(data)), "b", func(r Record) error {
			if r.Stray || bytes.Compare(r.Key, before) <= 0 || string(r.Key) != fmt.Sprintf("key %05d", n) || len(r.Value) != n%40 {
				t.Errorf("record %d is %+v", n, r)
			}
			before = r.Key
			n++
			return nil
		})
		if err != nil || n != count || len(got.Damage) > 0 || len(got.Lost) > 0 || got.Doubtful || got.Missing || got.Sequence != 3 || got.PageSize != 1<<10 {
			t.Errorf("%d records of %d: %+v, %v", n, count, got, err)
		}
	}
}

func TestWalkOfNoBucket(t *testing.T) {
	data := sample(t, 10)
	got, err := Walk(bytes.NewReader(data), int64(len(data)), "other", func(Record) error { return nil })
	if err != nil || got.Missing || len(got.Lost) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzWalk reads files with any damage: it comes to an end, and a record is inside of
// the file.
func FuzzWalk(f *testing.F) {
	files := [][]byte{sample(f, 1), sample(f, 60), sample(f, 1000)}
	for i := range files {
		f.Add(uint8(i), uint32(0), []byte("damaged"))
		f.Add(uint8(i), uint32(3<<10+8), []byte{1, 0, 255, 255})
		f.Add(uint8(i), uint32(9<<10), bytes.Repeat([]byte{0xff}, 40))
	}
	f.Fuzz(func(t *testing.T, file uint8, at uint32, patch []byte) {
		data := bytes.Clone(files[int(file)%len(files)])
		copy(data[int(at)%len(data):], patch)
		got, err := Walk(bytes.NewReader(data), int64(len(data)), "b", func(r Record) error {
			if !bytes.Contains(data, r.Key) || !bytes.Contains(data, r.Value) {
				t.Errorf("a record that is not in the file: %+v", r)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Lost) > 0 && len(got.Damage) == 0 {
			t.Errorf("lost without damage: %+v", got)
		}
	})
}
