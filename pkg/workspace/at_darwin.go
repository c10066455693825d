package workspace

import "golang.org/x/sys/unix"

func renameExclusive(from int, name string, into int, to string) error {
	return unix.RenameatxNp(from, name, into, to, unix.RENAME_EXCL)
}

// chmodat follows no link.
func chmodat(dir int, name string, mode uint32) error {
	return unix.Fchmodat(dir, name, mode, unix.AT_SYMLINK_NOFOLLOW)
}
