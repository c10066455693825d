package walk

import "io/fs"

// Status holds the system's data about an entry; two of them show whether it was changed
// in between.
type Status struct {
	Mode     fs.FileMode // type and permission bits
	Links    uint32      // names of a regular file; 0 of others, and where the system does not tell
	Size     int64       // bytes
	Modified int64       // of the content, in nanoseconds since 1970
	Changed  int64       // of anything, in the same unit; 0 where the system does not tell
	Inode    uint64      // 0 where the system does not tell
	Device   uint64
}
