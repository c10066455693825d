package compound

import (
	"encoding/binary"
	"errors"
	"io"
	"sort"
)

// readFAT reads the sector allocation table, which the DIFAT lists the sectors of
// (MS-CFB 2.3, 2.5). Sectors of it that the file does not have are read as free.
func (f *File) readFAT(header *[headerSize]byte) error {
	perSector := 1 << f.shift / 4
	wanted := (f.sectors + perSector - 1) / perSector
	list := make([]uint32, 0, min(wanted, headerDIFAT))
	take := func(table []byte) {
		for ; len(table) >= 4 && len(list) < wanted; table = table[4:] {
			list = append(list, binary.LittleEndian.Uint32(table))
		}
	}
	take(header[76:headerSize])

	sector := make([]byte, 1<<f.shift)
	next := binary.LittleEndian.Uint32(header[68:])
	for range f.sectors { // no more than there are, so that a cycle ends
		if len(list) >= wanted || next > maxSector || int64(next) >= int64(f.sectors) {
			break
		}
		if err := f.readSector(sector, next); err != nil {
			return err
		}
		take(sector[:len(sector)-4])
		next = binary.LittleEndian.Uint32(sector[len(sector)-4:])
	}

	f.fat = make([]uint32, 0, len(list)*perSector)
	for _, at := range list {
		if at > maxSector || int64(at) >= int64(f.sectors) {
			f.damaged = f.damaged || at != freeSector
			for range perSector {
				f.fat = append(f.fat, freeSector)
			}
			continue
		}
		if err := f.readSector(sector, at); err != nil {
			return err
		}
		for i := 0; i < len(sector); i += 4 {
			f.fat = append(f.fat, binary.LittleEndian.Uint32(sector[i:]))
		}
	}
	return nil
}

// readSector fills buf with a sector. What is past the end of the file is free.
func (f *File) readSector(buf []byte, sector uint32) error {
	n, err := f.file.ReadAt(buf, f.offset(sector))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	for i := range buf[n:] {
		buf[n+i] = 0xFF
	}
	return err
}

// offset returns where a sector begins in the file.
func (f *File) offset(sector uint32) int64 { return (int64(sector) + 1) << f.shift }

// A chain is the content of a stream: runs of neighbouring sectors.
type chain struct {
	from io.ReaderAt
	runs []run
	size int64
}

// A run is a part of a chain that is in one piece.
type run struct {
	at     int64 // in the chain
	offset int64 // in what the chain is read from
}

// chain returns up to size bytes of the stream that begins at a sector.
func (f *File) chain(start uint32, size int64) chain {
	c := chain{from: f.file}
	f.damaged = !c.follow(f.fat, start, f.sectors, size, func(sector uint32) (int64, int64) {
		at := f.offset(sector)
		return at, min(1<<f.shift, f.size-at)
	}) || f.damaged
	return c
}

// miniChain is chain for a stream in the mini stream.
func (f *File) miniChain(start uint32, size int64) chain {
	c := chain{from: f.mini}
	sectors := int((f.mini.size + 1<<miniShift - 1) >> miniShift)
	c.follow(f.mini.fat, start, sectors, size, func(sector uint32) (int64, int64) {
		at := int64(sector) << miniShift
		return at, min(1<<miniShift, f.mini.size-at)
	})
	return c
}

// follow collects the runs of a chain until it holds size bytes. Where the table
// says nothing of a sector, the next one is taken to follow it: programs write
// streams in one piece, so that most of them outlive their table. It reports
// whether the table was as it should be.
func (c *chain) follow(table []uint32, sector uint32, sectors int, size int64, where func(uint32) (at, length int64)) bool {
	whole := true
	seen := make([]uint64, (sectors+63)/64)
	end := int64(-1)
	for c.size < size {
		if int64(sector) >= int64(sectors) || seen[sector/64]&(1<<(sector%64)) != 0 {
			return false
		}
		seen[sector/64] |= 1 << (sector % 64)
		at, length := where(sector)
		if at != end {
			c.runs = append(c.runs, run{c.size, at})
		}
		end = at + length
		c.size += length

		next := uint32(freeSector)
		if int(sector) < len(table) {
			next = table[sector]
		}
		switch {
		case next == endOfChain:
			c.size = min(c.size, size)
			return whole && c.size == size
		case int64(next) >= int64(sectors):
			whole = whole && c.size >= size
			next = sector + 1
		}
		sector = next
	}
	c.size = size
	return whole
}

// ReadAt implements [io.ReaderAt].
func (c *chain) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("compound: negative offset")
	}
	done := 0
	i := sort.Search(len(c.runs), func(i int) bool { return c.runs[i].at > off }) - 1
	for done < len(p) && off < c.size {
		end := c.size
		if i+1 < len(c.runs) {
			end = min(end, c.runs[i+1].at)
		}
		part := p[done:min(int64(len(p)), int64(done)+end-off)]
		n, err := c.from.ReadAt(part, c.runs[i].offset+off-c.runs[i].at)
		done += n
		off += int64(n)
		if n < len(part) {
			return done, err
		}
		i++
	}
	if done < len(p) {
		return done, io.EOF
	}
	return done, nil
}
