package pages

import (
	"encoding/binary"
	"fmt"
	"io"
)

// deepest limits the depth of a tree: 75 to the power of 4 leaves are 120 GB.
const deepest = 24

// CheckBranches looks for a page that leads back to one above it. bbolt, which checks
// only that a page is the one that it asked for, would follow it for ever, or until the
// stack overflows, which nobody can recover from. The leaves of a tree are all equally
// deep, so that only the branches have to be read: one for some seventy pages. root is
// the page at the top, end the number after that of the last page.
func CheckBranches(file io.ReaderAt, pageSize int64, root, end uint64) error {
	above := map[uint64]bool{}
	level := []uint64{root}
	for range deepest {
		first, err := readHead(file, pageSize, level[0], pageHeader)
		if err != nil {
			return err
		}
		leaves := binary.NativeEndian.Uint16(first[8:])&branchFlag == 0
		var below []uint64
		for _, id := range level {
			if id < 2 || id >= end || above[id] {
				return fmt.Errorf("page %d is not where it belongs", id)
			}
			if leaves {
				continue
			}
			above[id] = true
			if below, err = children(file, pageSize, id, below); err != nil {
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
func children(file io.ReaderAt, pageSize int64, id uint64, all []uint64) ([]uint64, error) {
	head, err := readHead(file, pageSize, id, pageHeader)
	if err != nil {
		return nil, err
	}
	count := int(binary.NativeEndian.Uint16(head[10:]))
	if binary.NativeEndian.Uint64(head) != id || binary.NativeEndian.Uint16(head[8:]) != branchFlag || count == 0 {
		return nil, fmt.Errorf("page %d is damaged", id)
	}
	if head, err = readHead(file, pageSize, id, pageHeader+count*element); err != nil {
		return nil, err
	}
	for i := range count {
		all = append(all, binary.NativeEndian.Uint64(head[pageHeader+i*element+8:]))
	}
	return all, nil
}

// readHead reads the beginning of a page.
func readHead(file io.ReaderAt, pageSize int64, id uint64, length int) ([]byte, error) {
	head := make([]byte, length)
	_, err := file.ReadAt(head, int64(id)*pageSize)
	return head, err
}
