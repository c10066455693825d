package run

import "github.com/helve-dev/helve/pkg/shell/sandbox/native"

// leastMemory is the memory, in bytes, that a command may always hold.
const leastMemory = 256 << 20

// MemoryBudget returns how many bytes of memory of their own a command and what it starts
// may hold: nine tenths of what is left. More would make the kernel end programs of its
// own choice. Zero is no limit: only Linux knows what is left.
func MemoryBudget() int64 {
	left, ok := native.MemoryLeft()
	if !ok {
		return 0
	}
	return max(left/10*9, leastMemory)
}

// A command must leave a fiftieth of a disk, of a large one mostReserved bytes.
const (
	reservedShare = 50
	mostReserved  = 256 << 20
)

// disk is a file system that a command must not fill.
type disk struct {
	dir     string // a directory of it
	reserve int64  // the bytes that stay free
}

// disksOf returns the file systems of directories that have more than twice the reserve
// left: on one that is full already the command is not to blame.
func disksOf(dirs []string) (all []disk) {
	for _, dir := range dirs {
		size, left := space(dir)
		if d := (disk{dir, min(size/reservedShare, mostReserved)}); left > 2*d.reserve {
			all = append(all, d)
		}
	}
	return all
}

// isFull reports whether nothing is left but the reserve.
func (d disk) isFull() bool {
	size, left := space(d.dir)
	return size > 0 && left < d.reserve
}
