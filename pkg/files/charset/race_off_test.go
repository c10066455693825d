//go:build !race

package charset_test

const raceDetector = false
