//go:build !race

package journal

// killEvery is how many steps of a process lie between those it is killed at.
const killEvery = 1

const raceDetector = false
