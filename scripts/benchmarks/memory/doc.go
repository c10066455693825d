// Package memory says how much memory a process had that has ended.
package memory
