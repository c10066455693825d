//go:build !race && linux

package page

const raceDetector = false
