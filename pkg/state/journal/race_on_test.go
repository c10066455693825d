//go:build race

package journal

// Every process of the crash tests has but one goroutine and is slow to start
// under the race detector, so it is killed at some of its steps only.
const killEvery = 5

const raceDetector = true
