// Package workspace is a directory tree that is opened once and never left: the
// only package that opens a file of a project by its name. It does not interpret
// contents, and it does not lock, journal or approve anything.
//
// # Paths
//
// A caller may write a path relative to the root, with any of "." and "..", or as
// an absolute path inside. [Root.Clean] makes a [Path] of it by its letters alone:
// nothing is expanded, and the disk plays no part. A name that is not UTF-8 is written
// with escapes; see [Escape]. What opens or changes something takes a Path, so that a
// string reaches the disk only after it was confined, and once. Other
// packages that must know whether a path is in a directory use [Within] and
// [WithinOS].
//
// What the path leads to is a second question. canonical walks it name by name
// and replaces each link by its target, as the kernel does, with two differences:
// an absolute target counts from the root, if it is inside, and names after the
// first missing one are kept, so that a file to be made has a path as well.
// [Root.Resolve] is both steps.
//
// # Confinement
//
// No check of a path holds until the file is opened: another process can replace
// a directory by a link in between. So nothing relies on such a check. Open keeps
// a handle of the root, and every operation starts there:
//
//   - On Linux openat2(2) opens the whole path with RESOLVE_BENEATH and
//     RESOLVE_NO_MAGICLINKS, and the kernel refuses each step that would leave.
//   - Elsewhere, and where a seccomp filter hides the call, [os.Root] does that
//     where links are followed; descend, which opens one name at a time with
//     O_NOFOLLOW, where they are not.
//   - A change first opens the directory that holds the entry, without links
//     (enter), and then works on bare names in that directory. Whatever happens to
//     the path, the change happens in the directory that was checked.
//
// If the tree changes between resolving and opening, the call starts again; after
// a few attempts the error is conflict. Both ways, absolute links that stay inside
// are refused by the kernel and by os.Root, so open resolves the links by hand
// only then: one system call is the rule.
//
// # What is refused, and when
//
//   - outside_workspace: a path or link that leaves the root, at Clean or while it
//     is resolved. With [Never], every link.
//   - not_a_file: pipes, sockets and devices. Files are opened with O_NONBLOCK and
//     examined afterwards, because opening a pipe would wait for its writer, and
//     opening a device may act on it.
//   - permission_denied: /proc, /sys and /dev, by path and by the type of the file
//     system, wherever it is mounted.
//   - protected_path: changes to .helve, .git, what git runs or reads as settings
//     (hooks, config), and the paths of [Options]. guard compares names as the
//     laxest file system would: without case, Unicode form, trailing dots, NTFS
//     streams and 8.3 aliases. It checks the spelling and the resolved path.
//
// # Writing
//
// [Root.WriteFile] goes through these functions:
//
//   - enter resolves the path, asks guard, and opens the directory.
//   - writing.run describes the old file and refuses one that this process could
//     not open for writing, although a rename could replace it.
//   - replace makes a temporary file in it, and fill gives it the bytes, the owner,
//     the extended attributes and the mode, and syncs it. On Linux the file has no
//     name until then, so a writer that is killed leaves nothing; elsewhere it has one
//     beside the old file, and a lock.
//   - publish gives it its name, and the directory is synced. A reader finds the old
//     bytes or the new ones, also after a crash.
//   - removeStale removes the temporary files of dead writers. The kernel drops
//     the lock of a process that dies, so no process id or clock is trusted.
//
// A file with several hard links, in a directory where no file can be made, or
// that is a mount point is overwritten in place instead, and the result says so.
// The journal then saves both contents first.
//
// # What was tried and dropped
//
// Resolving with [path/filepath.EvalSymlinks] and opening by name: nine times
// slower than openat2, and open to races. os.Root alone: it refuses absolute links
// that stay inside, and its Open waits at a pipe. A prefix test of strings: "/ws"
// is a prefix of "/ws-evil". Renaming over a file with several hard links: the
// other names would keep the old contents.
package workspace
