package bolt

import (
	"encoding/binary"
	"fmt"
	"io"
)

// The form of a page of bbolt, in the byte order of the machine: its number, its kind,
// how many elements it has, and how many pages more it takes; then the elements. Those
// of a branch are the place and length of a key, and the number of the page below.
// See https://github.com/etcd-io/bbolt/blob/v1.5.0/internal/common/page.go
const (
	pageHeader    = 16
	branchElement = 16
	branchKind    = 0x01
	maxDepth      = 24 // of a tree; 75 to the power of 4 leaves are 120 GB
)

// checkBranches looks for a page that leads back to one above it. bbolt, which checks
// only that a page is the one that it asked for, would follow it for ever, or until the
// stack overflows, which nobody can recover from. The leaves of a tree are all equally
// deep, so that only the branches have to be read: one for some seventy pages. root is
// the page at the top, end the number after that of the last page.
func checkBranches(file io.ReaderAt, root, end uint64) error {
	above := map[uint64]bool{}
	level := []uint64{root}
	for range maxDepth {
		first, err := readPage(file, level[0], pageHeader)
		if err != nil {
			return err
		}
		leaves := binary.NativeEndian.Uint16(first[8:])&branchKind == 0
		var below []uint64
		for _, id := range level {
			if id < 2 || id >= end || above[id] {
				return fmt.Errorf("page %d is not where it belongs", id)
			}
			if leaves {
				continue
			}
			above[id] = true
			if below, err = children(file, id, below); err != nil {
				return err
			}
		}
		if leaves {
			return nil
		}
		level = below
	}
	return fmt.Errorf("the tree of page %d has no end", root)
}

// children appends the pages below a branch.
func children(file io.ReaderAt, id uint64, all []uint64) ([]uint64, error) {
	page, err := readPage(file, id, pageHeader)
	if err != nil {
		return nil, err
	}
	count := int(binary.NativeEndian.Uint16(page[10:]))
	if binary.NativeEndian.Uint64(page) != id || binary.NativeEndian.Uint16(page[8:]) != branchKind || count == 0 {
		return nil, fmt.Errorf("page %d is damaged", id)
	}
	if page, err = readPage(file, id, pageHeader+count*branchElement); err != nil {
		return nil, err
	}
	for i := range count {
		all = append(all, binary.NativeEndian.Uint64(page[pageHeader+i*branchElement+8:]))
	}
	return all, nil
}

func readPage(file io.ReaderAt, id uint64, length int) ([]byte, error) {
	page := make([]byte, length)
	_, err := file.ReadAt(page, int64(id)*pageSize)
	return page, err
}
