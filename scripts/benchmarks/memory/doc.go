// Package memory says how much memory a process had that has ended, and runs processes of
// which that is wanted.
package memory
