// Package journal is the one engine that changes files of a workspace. Every
// change that goes through it is complete after a crash or not there at all, and
// can be undone by any later process. It does not know which tool asks for a
// change, and it does not confine paths: the [Tree] it works on does.
//
// # The idea
//
// The journal is a write-ahead log of JSON lines in the state directory. A call
// may change several files; together they are a group. The group is planned as
// steps, each of which the file system does completely or not at all: create,
// modify, delete, move, mode, mkdir, rmdir, and moving an entry out of the
// workspace and in again. A step records what is at its paths before and after
// (a [State]: kind, SHA-256, mode, link target). The bytes that a step destroys
// are kept as blobs under their SHA-256. A directory that leaves the workspace is
// not copied: it is moved to a directory of snapshots on the same file system.
//
// A group is two records: an intent with all steps, then its end. The end is
// commit (all steps are done), abort (none is) or conflict (the process died and
// others changed the files since, so nothing is touched). An undo is a group like
// any other that names the groups it takes back. Nothing is ever removed from
// the log to undo it, so undoing an undo is redo.
//
// # Invariants
//
//   - The intent and the blobs it names are on the disk before the first step.
//   - The steps run in order, each on the disk before the next begins, so the
//     files alone show how many were done. Recovery needs no other mark.
//   - Whoever changes a path holds its lock from before it is read until the end
//     is recorded. A process that dies loses its locks, so a caller that gets
//     the lock of a path sees every open intent about it.
//   - A claim, which is a lock named after the intent, shows that the process at
//     work is alive. It is taken before the intent is appended and is the last
//     to be released.
//   - A step checks right before it that its path still has the planned state,
//     because editors and compilers do not take the locks.
//   - A file that must be overwritten in place (it has several hard links, or its
//     directory is read-only) can be left half written. Both its contents are
//     saved first, and recovery accepts any mixture of the two as its own work.
//   - No step of an undo changes the bytes of a name that it does not list, unless the
//     undone entry changed that name too; see linked for files with several names.
//   - Paths in records are checked when they are read as strictly as those of
//     callers: a journal that somebody else wrote cannot lead out of the
//     workspace.
//
// # The way of one write
//
// [Journal.Begin] locks the paths ([state.Dir.Lock], sorted, so that two calls
// cannot wait for each other) and runs recover, which reads the heads of the
// lines since the index and is cheap when no intent is open. The caller reads the file and calls
// [Tx.Apply]:
//
//   - covers checks that every path was locked.
//   - plan turns changes into steps. find observes each path once and compares
//     it with Change.Expect; parents adds the missing directories; save puts the
//     old bytes into a blob. Nothing in the workspace is changed yet, so every
//     refusal so far leaves no trace.
//   - begin takes the claim and appends the intent; syncIntent puts it on disk.
//   - execute runs the steps: fresh checks the path again, carryOut changes it.
//     If one fails, revert takes back those before it.
//   - end appends commit or abort.
//   - compact shortens the log when it has grown enough, and sweeps the blobs
//     and snapshots that no record names any more.
//
// [Tx.Close] releases the locks.
//
// # After a kill
//
// The next Begin, in any process, finds the intent without an end. recover takes
// the log's lock and the claim; if the claim is held, the owner is alive and the
// entry is left alone. settle then compares the paths with what they would be
// after each number of steps, the largest first (progress). All done: commit.
// Some done: they are taken back, and the end is abort. Anything else: conflict,
// the files stay as they are, and a warning names them once. Recovery can be
// killed as well; the next one starts from the files again. The tests kill the
// process before every step that reaches the disk, both while applying and while
// recovering.
//
// # Undo
//
// [Journal.Undo] picks entries, locks their paths, picks again in case another
// process was faster, and applies the inverse of their steps as a new group. Each
// path must be exactly what the entry left there, else the error is undo_conflict
// and names the newer entries in the way. With force the present content is saved
// and replaced, which can itself be undone.
//
// # A long history
//
// The journal may have twenty thousand entries. Beside it lies an index with a row for each,
// made anew when the journal has grown by 32 KiB: so a change reads what was appended since,
// and undo and history decode the entries that they ask for. It can be lost, and is never
// believed against the journal. See index.go.
//
// # What others changed
//
// A command knows nothing of the journal. [Journal.Record] makes an entry of what one
// changed, in one record that is an intent and its commit, as nothing is left to do. Its
// steps were never carried out as they are: they are such that each can be taken back. To
// undo it, also the files of a repository are changed, through Options.Restoring. Of more
// than 256 paths it locks none: each step checks its path all the same.
//
// # Retention
//
// The newest ten versions of a file are kept whatever their age, up to a hard
// limit of bytes and entries; beyond that, 100 versions of a file, 30 days and
// 200 MiB of a workspace. Entries go as a whole. A file above 16 MiB that is
// deleted by itself is not saved, and the result says that it cannot be undone. One that
// is replaced whole is kept under another name, and goes when those files have a
// gibibyte, but for the newest; of one that is edited or appended to, only the changed
// bytes are kept. See large.go.
//
// # What was tried and dropped
//
// A database: it costs start-up time at every call, for one append and one scan.
// A record per file instead of per group: half a patch would survive a crash.
// Popping entries on undo: there is no redo, and two processes disagree about the
// top. Comparing times instead of hashes: they are too coarse, and tools reset
// them. Copying directories instead of moving them: a directory of dependencies
// has tens of thousands of files. zstd for blobs: denser than DEFLATE, which is in
// the standard library and runs nothing at start-up.
package journal
