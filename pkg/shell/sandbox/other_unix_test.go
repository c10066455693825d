//go:build unix

package sandbox

const testRoot = "/work"
