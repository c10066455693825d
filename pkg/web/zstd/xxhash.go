package zstd

import (
	"encoding/binary"
	"math/bits"
)

// xxhash is XXH64 with the seed 0, as github.com/Cyan4973/xxHash describes it in
// doc/xxhash_spec.md. Before use it is reset.
type xxhash struct {
	lanes [4]uint64
	rest  [32]byte // input that does not fill a stripe yet
	total uint64
}

const (
	prime1 uint64 = 0x9e3779b185ebca87
	prime2 uint64 = 0xc2b2ae3d27d4eb4f
	prime3 uint64 = 0x165667b19e3779f9
	prime4 uint64 = 0x85ebca77c2b2ae63
	prime5 uint64 = 0x27d4eb2f165667c5
)

func (x *xxhash) reset() {
	p1, p2 := prime1, prime2 // which the compiler must not add up, as the sums overflow
	*x = xxhash{lanes: [4]uint64{p1 + p2, p2, 0, -p1}}
}

func (x *xxhash) write(p []byte) {
	held := int(x.total % 32)
	x.total += uint64(len(p))
	if held > 0 {
		n := copy(x.rest[held:], p)
		if held+n < 32 {
			return
		}
		x.stripes(x.rest[:])
		p = p[n:]
	}
	whole := len(p) &^ 31
	x.stripes(p[:whole])
	copy(x.rest[:], p[whole:])
}

// stripes takes in pieces of 32 bytes.
func (x *xxhash) stripes(p []byte) {
	a, b, c, d := x.lanes[0], x.lanes[1], x.lanes[2], x.lanes[3]
	for ; len(p) >= 32; p = p[32:] {
		a = mix(a, binary.LittleEndian.Uint64(p))
		b = mix(b, binary.LittleEndian.Uint64(p[8:]))
		c = mix(c, binary.LittleEndian.Uint64(p[16:]))
		d = mix(d, binary.LittleEndian.Uint64(p[24:]))
	}
	x.lanes = [4]uint64{a, b, c, d}
}

func mix(lane, input uint64) uint64 { return bits.RotateLeft64(lane+input*prime2, 31) * prime1 }

func (x *xxhash) sum() uint64 {
	h := prime5
	if x.total >= 32 {
		h = 0
		for i, turn := range [...]int{1, 7, 12, 18} {
			h += bits.RotateLeft64(x.lanes[i], turn)
		}
		for _, lane := range x.lanes {
			h = (h^mix(0, lane))*prime1 + prime4
		}
	}
	h += x.total
	p := x.rest[:x.total%32]
	for ; len(p) >= 8; p = p[8:] {
		h = bits.RotateLeft64(h^mix(0, binary.LittleEndian.Uint64(p)), 27)*prime1 + prime4
	}
	if len(p) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(p))*prime1, 23)*prime2 + prime3
		p = p[4:]
	}
	for _, c := range p {
		h = bits.RotateLeft64(h^uint64(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
