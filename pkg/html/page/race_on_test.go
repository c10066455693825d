//go:build race && linux

package page

const raceDetector = true
