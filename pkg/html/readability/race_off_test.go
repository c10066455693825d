//go:build !race

package readability

const raceDetector = false
