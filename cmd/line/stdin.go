package line

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// How long an open standard input may stay silent: a host that forgot to close it
// must not hang forever.
const (
	firstByteTimeout = 10 * time.Second
	idleTimeout      = time.Minute // between two pieces
	// peekTimeout limits the wait of a call that needs nothing: a parent writes within it
	// after starting a process. Who needs longer says "-".
	peekTimeout = 20 * time.Millisecond
)

// AwaitStdin reads standard input, for a call that cannot be made without: to its
// end, or until enough, which may be nil, says that no more is needed. From a terminal
// it reads nothing: a person would wait for a prompt that does not come.
func AwaitStdin(ctx context.Context, in io.Reader, enough func([]byte) bool) ([]byte, error) {
	if process.IsTerminal(in) {
		return nil, nil
	}
	type read struct {
		text []byte
		err  error
	}
	came, done := make(chan struct{}, 1), make(chan read, 1)
	go func() {
		var text []byte
		in := io.LimitReader(in, schema.MaxBytes+1)
		for {
			text = slices.Grow(text, 4096)
			n, err := in.Read(text[len(text):cap(text)])
			text = text[:len(text)+n]
			if err != nil || enough != nil && enough(text) {
				done <- read{text, ignoreEOF(err)}
				return
			}
			if n > 0 {
				select {
				case came <- struct{}{}:
				default: // the one before has not been seen yet
				}
			}
		}
	}()
	patience := firstByteTimeout
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-timer.C:
			return nil, fault.New(fault.Usage, fault.T("standard input is open, but nothing came for %v", patience)).
				WithHint(fault.T("write the arguments to it and close it, or give them as one argument, such as '{}'"))
		case <-came:
			patience = idleTimeout
			timer.Reset(patience)
		case r := <-done:
			if r.err != nil {
				return nil, unreadableStdin(r.err)
			}
			return r.text, nil
		}
	}
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func unreadableStdin(err error) error {
	return fault.New(fault.IOError, fault.T("standard input could not be read")).
		WithHint(fault.T("give the JSON as one argument instead")).Because(err)
}

// oneObject reports whether text is one JSON object, and no more.
func oneObject(text []byte) bool {
	text = trimmed(text)
	return len(text) > 0 && text[0] == '{' && text[len(text)-1] == '}' && json.Valid(text)
}

// trimmed is text without the mark and the white space around what it holds.
func trimmed(text []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
}

// waiting returns the arguments that are on standard input already, for a call that
// lacks none. It never waits for them: an open pipe may be one that nobody writes to.
// Another process may read from it next, such as the server that started this one:
// what are not these arguments is left where it is.
func (in *Input) waiting() ([]byte, error) {
	w := process.Peek(in.stdin, peekTimeout)
	text := trimmed(w.Text)
	switch {
	case len(text) == 0:
	case w.All && in.meant(text, w.Ended):
		if err := w.Take(); err != nil {
			return nil, unreadableStdin(err)
		}
		return w.Text, nil
	default:
		in.warnings = append(in.warnings, fault.T(`standard input holds something else than one object with the arguments of %s; it was not used ("-" reads it)`, in.tool.Name))
	}
	return []byte("{}"), nil
}

// meant reports whether text is meant as arguments of the tool. Where more may follow,
// only an object that names one is; the next message to a server is not. Where nothing
// can follow, every object is, also a broken one: the decoder says what is wrong.
func (in *Input) meant(text []byte, ended bool) bool {
	if text[0] != '{' {
		return false
	}
	if ended && !oneObject(text) {
		var first json.RawMessage
		return json.NewDecoder(bytes.NewReader(text)).Decode(&first) != nil // else there are several
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil {
		return false
	}
	for name := range object {
		if _, ok := in.tool.Schema().Field(name); ok {
			return true
		}
	}
	return ended || len(object) == 0
}
