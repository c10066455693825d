//go:build !race

package cmd_test

// raced says that the race detector is on, which takes memory.
const raced = false
