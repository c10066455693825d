package state

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// cacheDir holds the caches.
const cacheDir = "cache"

// cacheShards is the number of directories of a cache. Each has its share of the
// size, so that making room looks at few files.
const cacheShards = 16

// Cache keeps values that can be made again, and removes the least recently used
// when they take too much. Several processes may use one. A value is found
// completely or not at all; a crash may lose the latest.
type Cache struct {
	dir  *Dir
	name string
	most int64
}

// Cache returns the cache with a name, of at most so many bytes on disk.
func (d *Dir) Cache(name string, most int64) *Cache { return &Cache{d, name, most} }

// Get returns the value of a key, or nil if there is none. It counts as a use.
func (c *Cache) Get(key string) ([]byte, error) {
	p, err := c.dir.use()
	if err != nil {
		return nil, err
	}
	name := c.file(key)
	data, err := p.read(name, maxFile)
	if errors.Is(err, fs.ErrNotExist) || fault.Is(err, fault.TooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.System(err, p.shown(name))
	}
	now := c.dir.opt.Now()
	return data, fault.System(ignoreMissing(p.dir.Chtimes(name, now, now)), p.shown(name))
}

// Put sets the value of a key. Data that is too large for the cache is not kept,
// and removes the value before it.
func (c *Cache) Put(key string, data []byte) error {
	if int64(len(data)) > min(c.most/cacheShards, maxFile) {
		return c.Remove(key)
	}
	p, err := c.dir.use()
	if err != nil {
		return err
	}
	name := c.file(key)
	if err := p.replace(name, data, false); err != nil {
		return fault.System(err, p.shown(name))
	}
	return fault.System(c.shrink(p, c.shard(key)), p.shown(name))
}

// Remove removes the value of a key.
func (c *Cache) Remove(key string) error {
	p, err := c.dir.use()
	if err != nil {
		return err
	}
	name := c.file(key)
	return fault.System(ignoreMissing(p.dir.Remove(name)), p.shown(name))
}

// shrink makes room in a shard, and removes temporary files of dead processes. A
// file that another process removes first is no error.
func (c *Cache) shrink(p *opened, shard string) error {
	type value struct {
		name  string
		bytes int64
		used  time.Time
	}
	var values []value
	var sum int64
	err := p.each(shard, func(name string, info fs.FileInfo) error {
		values = append(values, value{name, info.Size(), info.ModTime()})
		sum += info.Size()
		return nil
	})
	if err != nil || sum <= c.most/cacheShards {
		return err
	}
	slices.SortFunc(values, func(a, b value) int { return a.used.Compare(b.used) })
	for _, v := range values {
		if err := ignoreMissing(p.dir.Remove(v.name)); err != nil {
			return err
		}
		if sum -= v.bytes; sum <= c.most/cacheShards*3/4 { // so that not every Put has to shrink
			break
		}
	}
	return clearTemporary(p, c.dir.opt.Now())
}

func (c *Cache) shard(key string) string {
	sum := sha256.Sum256([]byte(key))
	return cacheDir + "/" + c.name + "/" + hex.EncodeToString(sum[:1])[:1]
}

func (c *Cache) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	return c.shard(key) + "/" + hex.EncodeToString(sum[:])
}
