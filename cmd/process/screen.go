package process

import (
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// The sequences that enter and leave a screen of one's own: the alternate buffer, without
// a cursor and without line wrap, in which pasted text is marked (xterm's ctlseqs).
const (
	enter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[H\x1b[2J"
	leave = "\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
)

// Screen is the terminal that the process was started from, taken over: keys come one by
// one and unseen, and what was on it is there again after [Screen.Close].
type Screen struct {
	// Resized gets something when the size has changed, and Ended when the process is to
	// end.
	Resized, Ended <-chan os.Signal

	terminal         *os.File
	resized, endings chan os.Signal
	restore          func() error
}

// OpenScreen takes the terminal over. The caller must close it, however it ends.
func OpenScreen() (*Screen, error) {
	terminal, err := OpenTerminal()
	if err != nil {
		return nil, err
	}
	s := &Screen{terminal: terminal, resized: make(chan os.Signal, 1), endings: make(chan os.Signal, 1)}
	s.Resized, s.Ended = s.resized, s.endings
	signal.Notify(s.endings, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // none may end the process in between
	notifyResize(s.resized)
	fd := int(terminal.Fd())
	before, err := term.MakeRaw(fd)
	if err == nil {
		s.restore = sync.OnceValue(func() error {
			_, _ = io.WriteString(terminal, leave) // it may be gone, and then nothing is to be restored
			return term.Restore(fd, before)
		})
		_, err = io.WriteString(terminal, enter)
	}
	if err != nil {
		_ = s.Close() // the error is the first one
		return nil, err
	}
	return s, nil
}

// Close restores the terminal. It may be called again. A Read that is under way is left
// behind: it ends with the process.
func (s *Screen) Close() error {
	signal.Stop(s.resized)
	signal.Stop(s.endings)
	if s.restore == nil {
		return nil
	}
	return s.restore()
}

// Size returns the number of columns and rows.
func (s *Screen) Size() (columns, rows int) {
	columns, rows, err := term.GetSize(int(s.terminal.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}

// Read reads what is typed.
func (s *Screen) Read(p []byte) (int, error) { return s.terminal.Read(p) }

// Write writes to the terminal.
func (s *Screen) Write(p []byte) (int, error) { return s.terminal.Write(p) }
