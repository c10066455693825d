package state

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestCache(t *testing.T) {
	now := time.Now() // as the files have it
	base := t.TempDir()
	d, err := Open(base, t.TempDir(), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	const most = 16 * 1000 // a thousand bytes a shard
	c := d.Cache("test", most)
	size := func() (sum int64) {
		files, err := filepath.Glob(filepath.Join(base, "*", "cache", "test", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			info, err := os.Stat(f)
			if err != nil {
				t.Fatal(err)
			}
			sum += info.Size()
		}
		return sum
	}
	get := func(key string) []byte {
		t.Helper()
		data, err := c.Get(key)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if data := get("nothing"); data != nil {
		t.Errorf("%q", data)
	}
	value := bytes.Repeat([]byte("x"), 100)
	for i := range 1000 {
		now = now.Add(time.Second)
		if err := c.Put(fmt.Sprint("key ", i), append(value, fmt.Sprint(i)...)); err != nil {
			t.Fatal(err)
		}
		if data := get("key 0"); i < 900 && data == nil {
			t.Fatalf("what is in use was forgotten after %d", i) // it is used all the time
		}
	}
	if n := size(); n > most || n < most/2 {
		t.Errorf("it takes %d bytes", n)
	}
	if data := get("key 999"); string(data) != string(value)+"999" {
		t.Errorf("%q", data)
	}
	if get("key 1") != nil {
		t.Error("what was not used for longest is there")
	}
	if err := c.Put("key 999", make([]byte, most)); err != nil || get("key 999") != nil {
		t.Errorf("too large: %v", err)
	}
	if err := c.Remove("key 998"); err != nil || get("key 998") != nil {
		t.Error(err)
	}
	if err := c.Remove("key 998"); err != nil {
		t.Error(err)
	}
	// A file that somebody blew up is not read.
	if err := c.Put("large", value); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(mustPath(t, d), filepath.FromSlash(c.file("large"))), 32<<20+1); err != nil {
		t.Fatal(err)
	}
	if get("large") != nil {
		t.Error("it was read")
	}
}

func mustPath(t *testing.T, d *Dir) string {
	t.Helper()
	path, err := d.Path()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Many at once find every value whole.
func TestCacheTogether(t *testing.T) {
	base, root := t.TempDir(), t.TempDir()
	var group sync.WaitGroup
	for worker := range 8 {
		d, err := Open(base, root, Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := d.Cache("test", 16*4000)
		group.Go(func() {
			for i := range 200 {
				key := fmt.Sprint(i % 20)
				if err := c.Put(key, bytes.Repeat([]byte{byte('a' + worker)}, 500+i)); err != nil {
					t.Error(err)
				}
				data, err := c.Get(key)
				if err != nil || len(data) > 0 && !bytes.Equal(data, bytes.Repeat(data[:1], len(data))) {
					t.Errorf("%q, %v", data, err)
				}
			}
		})
	}
	group.Wait()
}
