//go:build race

package readability

const raceDetector = true
