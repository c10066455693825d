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

// cacheShards is into how many directories a cache is parted, so that making
// room looks at few files. Each may take its part of the whole.
const cacheShards = 16

// Cache keeps what can be had again, and forgets what was not used for longest
// when it takes too much. Several processes may use one; each value is found
// whole or not at all. A crash may lose what was put last.
type Cache struct {
	dir  *Dir
	name string
	most int64
}

// Cache is the cache of a name, of at most so many bytes on disk.
func (d *Dir) Cache(name string, most int64) *Cache { return &Cache{d, name, most} }

// Get is what was put under a key last, nil when that is not kept. Getting it
// counts as a use.
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

// Put keeps data under a key. What is too large for the cache is not kept, and
// what was there before is no more.
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

// Remove forgets what is kept under a key.
func (c *Cache) Remove(key string) error {
	p, err := c.dir.use()
	if err != nil {
		return err
	}
	name := c.file(key)
	return fault.System(ignoreMissing(p.dir.Remove(name)), p.shown(name))
}

// shrink makes room in a shard, and clears away what dead processes left. A file
// that another process takes away first is no error.
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
		if sum -= v.bytes; sum <= c.most/cacheShards*3/4 { // so that not every put has to
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
