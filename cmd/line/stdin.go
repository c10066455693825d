package line

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	encoded "github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/schema"
)

// How long an open standard input may stay silent: a host that forgot to close it
// must not hang forever.
const (
	firstByteTimeout = 10 * time.Second
	idleTimeout      = time.Minute // between two pieces
	// peekTimeout limits the wait of a call that only reads and needs nothing, such as of
	// ls: a parent writes within it after starting a process.
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
			return nil, silentStdin(patience)
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

func silentStdin(patience time.Duration) *fault.Error {
	return fault.New(fault.Usage, fault.T("standard input is open, but nothing came for %v", patience)).
		WithHint(fault.T("write the arguments to it and close it, or give them as one argument, such as '{}'"))
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

// AwaitText is [AwaitStdin] for a text, which PowerShell writes to a pipe as UTF-16.
func AwaitText(ctx context.Context, in io.Reader, enough func([]byte) bool) ([]byte, error) {
	raw, err := AwaitStdin(ctx, in, enough)
	return asUTF8(raw), err
}

// asUTF8 returns UTF-16 as UTF-8, and anything else as it is.
func asUTF8(raw []byte) []byte {
	if bytes.IndexByte(raw, 0) < 0 {
		return raw
	}
	if d, err := encoded.Decode(raw, ""); err == nil && (d.Encoding == encoded.UTF16LE || d.Encoding == encoded.UTF16BE) {
		return []byte(d.Text)
	}
	return raw
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

// object returns the object on standard input that holds the arguments; "{}" without one.
// A call that lacks arguments waits for it, and so does one that may change something, as
// the object may come late; any other one takes it if it has begun. What is no object with
// arguments of the tool is left where it is: another process may read from there next,
// such as the server that started this one, or the loop that this one is called in.
func (in *Input) object(ctx context.Context, lacks bool) ([]byte, error) {
	needed := lacks || !in.tool.MayRead()
	for start := time.Now(); ctx.Err() == nil; {
		w := process.Peek(in.stdin, peekTimeout)
		waited, text := time.Since(start), trimmed(w.Text)
		switch {
		case w.Blind && needed:
			return in.rest(ctx)
		case w.Open && !needed:
			if in.first("silent standard input") {
				in.warnings = append(in.warnings, fault.T("standard input is open, but silent: arguments that come later are not read. Close it, or pass '{}'"))
			}
			return []byte("{}"), nil
		case w.Open && waited >= firstByteTimeout:
			return nil, silentStdin(firstByteTimeout).WithHint(fault.T("without arguments it is: helve %s '{}'", in.tool.Command()))
		case w.Open:
			continue
		case len(text) == 0:
			return []byte("{}"), nil
		case lacks && strings.IndexByte(beginnings, text[0]) >= 0:
			return in.rest(ctx)
		}
		switch found := in.judge(w, text); {
		case found == whole:
			if err := w.Take(); err != nil {
				return nil, unreadableStdin(err)
			}
			return w.Text, nil
		case found == begun:
			return in.rest(ctx)
		case found == foreign || waited >= idleTimeout:
			return in.leave(text, needed)
		}
		<-time.After(peekTimeout)
	}
	return nil, ctx.Err()
}

// beginnings are the first bytes of what may be arguments, also in a list, a fence, quotes
// or UTF-16.
const beginnings = "{[`\"'\xff\xfe"

// content is the answer to the question what a text on standard input is.
type content int

const (
	foreign content = iota // something else than arguments of the tool
	unclear                // too little of an object to tell
	begun                  // the beginning of an object with arguments
	whole                  // an object with arguments
)

// judge says what is on standard input. Where more may follow, only an object that names
// an argument is meant; the next message to a server is not. Where nothing can follow,
// every object is, also a broken one: the decoder says what is wrong.
func (in *Input) judge(w process.Waiting, text []byte) content {
	var first json.RawMessage
	d := json.NewDecoder(bytes.NewReader(text))
	err := d.Decode(&first)
	names, empty := in.names(text)
	switch {
	case text[0] != '{', err == nil && len(trimmed(text[d.InputOffset():])) > 0: // or several
		return foreign
	case w.Ended, w.All && err == nil && (names || empty):
		return whole
	case err == nil && w.All:
		return foreign
	case names:
		return begun
	case !w.All:
		return foreign
	}
	return unclear
}

// names reports whether an object, of which the end may be missing, names an argument of
// the tool, and whether it is empty.
func (in *Input) names(text []byte) (names, empty bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return false, false
	}
	for empty = true; d.More(); empty = false {
		name, err := d.Token()
		if err != nil {
			return false, false
		}
		if s, ok := name.(string); ok {
			if _, ok := in.tool.Schema().Field(s); ok {
				return true, false
			}
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return false, false
		}
	}
	_, err := d.Token()
	return false, empty && err == nil
}

// rest reads an object to its end, however long that takes to come.
func (in *Input) rest(ctx context.Context) ([]byte, error) {
	raw, err := AwaitText(ctx, in.stdin, oneObject)
	if err == nil && len(trimmed(raw)) == 0 {
		raw = []byte("{}")
	}
	return raw, err
}

// leave says that something else was left on standard input. An object may have been meant
// all the same, so a call that needs one is not made then.
func (in *Input) leave(text []byte, needed bool) ([]byte, error) {
	what := fault.T(`standard input holds something else than one object with the arguments of %s; it was not used ("-" reads it)`, in.tool.Name)
	if needed && text[0] == '{' {
		return nil, fault.New(fault.Usage, what).WithHint(fault.T("without arguments it is: helve %s '{}'", in.tool.Command()))
	}
	in.warnings = append(in.warnings, what)
	return []byte("{}"), nil
}
