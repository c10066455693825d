// Package track finds out what a command changed in the workspace, so that it can be
// undone, without being in its way: a scan of what the system says about every file
// before the command, and one after it.
//
// # Where the earlier content comes from
//
// What a command will change is not known before. So the content of every file must be
// at hand when it starts:
//
//   - A file that git's index says is unchanged is in git's objects. Its packs are kept
//     open while the command runs.
//   - Any other file is copied into the blobs of the state directory, unless the copy of
//     an earlier command is still good: size, times and inode are the same.
//   - What is rebuilt rather than restored has no copy, nor has what is too large: see
//     the limits. If the command changes it, the report says so.
//
// The objects of a repository are neither scanned nor copied: they are never changed, and
// may stay. Everything else of .git is, so that a commit or a stash can be undone. A
// command that removes the whole repository takes its objects along, which the report
// says; the files of the workspace still come back, as far as they are in packs.
//
// A repository that git keeps outside of the workspace, as of a subdirectory, a submodule
// or one of several work trees, is not covered: the report names it if git has recorded
// something there.
//
// # What can be missed
//
// The kernel's clock for files stands still for some milliseconds. A file that was
// changed so shortly before the scan is compared by content. A command that resets the
// times of a file still changes the time of its last change; where the system does not
// tell that (Windows), it can hide a change of the same size. In an ignored directory
// only what is directly in it is looked at, to say that it was changed.
//
// # What a command shuts
//
// After chmod 000, an ordinary user can neither see what is in a directory nor read a file.
// The scan after a command opens what its owner has shut, for as long as it takes to record
// it; undo does so for the moment of a look (see [opener]).
//
// # After a kill
//
// What is known before a command is on the disk before the command starts: the copies, a
// file of what was there, which the index of git completes, and a file of the run, which
// names both (see [pending]). A claim on the run shows that its process is alive. The next
// call in the workspace that uses the journal finds a run without a live process, compares
// as End would have done, and records the entry. Nothing of this is synced to the disk:
// after a power failure the entry may be missing, and a warning says so.
//
// Two commands that run at the same time are not told apart by what a scan sees: what both
// might have done counts as done by the one that is recorded first, and the other one names
// it (see [Other]).
package track
