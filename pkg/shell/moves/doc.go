// Package moves foresees which files of a working tree a command of git will change, by
// git's own verdict: it has git compare the trees, or list the changes of every commit on
// the way, before the command runs. Only files are looked for that the caller asks about.
//
// Of each change it says whether the content comes from commits that the caller does not
// know. A commit is known if a known one leads to it. What is not understood of a command
// line is not foreseen: then the sandbox holds what it holds anyway.
//
// Nothing here runs git: the caller does, so that neither settings nor hooks of the
// repository run anything.
package moves
