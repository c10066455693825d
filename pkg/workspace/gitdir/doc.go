// Package gitdir finds git's directories and reads git's settings as git does: which
// directory stands for .git, what it shares with others, what its settings name. It
// opens the paths that it gets, in a workspace or not, and runs nothing.
//
// See gitrepository-layout(5) and git-config(1). In the tests git itself is the judge.
package gitdir
