// Package process does what concerns helve's own process and the terminal it was
// started from: memory, signals, pipes. It does not read the environment, and
// knows nothing of commands and tools.
package process

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
)

// memoryLimit is about how much memory a process should take, in bytes. Above it
// the collector works harder, so that a large file costs its copies and not twice
// as much.
const memoryLimit = 96 << 20

// settleAfter is the running time after which a call limits its memory and listens for
// signals that end it. The former stops every thread for a moment and the latter switches between
// threads several times, which together take a tenth of a short call. No call takes much
// memory that early, and an earlier signal ends the process as it would during its start.
// Writes are atomic in either case.
const settleAfter = 5 * time.Millisecond

// Settle prepares the process for a call that takes longer than a few
// milliseconds: it limits memory, releases code that only the start needed, and
// calls cancel when it is asked to end. A call that ends earlier calls stop.
func Settle(cancel func()) (stop func()) {
	timer := time.AfterFunc(settleAfter, func() {
		debug.SetMemoryLimit(memoryLimit)
		releaseCode()
		listen(cancel)
	})
	return func() { timer.Stop() }
}

// listen calls cancel when the process is asked to end.
func listen(cancel func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, Endings()...)
	<-signals
	cancel()
}

// Endings returns the signals that ask the process to end: that of a terminal which is
// closed is among them, unless it is ignored, as under nohup.
func Endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// IsTerminal reports whether a stream is a terminal, where a person reads or
// types.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
