package cmd

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// How long an open standard input may stay silent: a host that forgot to close it
// must not hang forever.
const (
	silence = 10 * time.Second // before a call that lacks arguments is refused
	// briefly, before a call that only reads and lacks none runs without it.
	briefly = time.Second
)

// readStdin reads standard input to its end. From a terminal it reads nothing: a
// person would wait for a prompt that does not come. silent is that nothing came in
// the time that it had.
func readStdin(ctx context.Context, in io.Reader, patience time.Duration) (text []byte, silent bool, err error) {
	if process.IsTerminal(in) {
		return nil, false, nil
	}
	type read struct {
		text []byte
		err  error
	}
	begun, done := make(chan struct{}), make(chan read, 1)
	go func() {
		first := make([]byte, 4096)
		n, err := io.ReadAtLeast(in, first, 1)
		close(begun)
		if err != nil {
			done <- read{first[:n], ignoreEOF(err)}
			return
		}
		rest, err := io.ReadAll(io.LimitReader(in, schema.MaxBytes+1))
		done <- read{append(first[:n], rest...), err}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-timer.C:
			return nil, true, nil
		case <-begun:
			timer.Stop()
			begun = nil
		case r := <-done:
			if r.err != nil {
				return nil, false, fault.New(fault.IOError, fault.T("standard input could not be read", "无法读取标准输入")).
					WithHint(fault.T("give the JSON as one argument instead", "请改为以单个参数给出 JSON")).Because(r.err)
			}
			return r.text, false, nil
		}
	}
}

// awaitStdin is [readStdin] for a call that cannot be made without.
func awaitStdin(ctx context.Context, in io.Reader) ([]byte, error) {
	text, silent, err := readStdin(ctx, in, silence)
	if silent {
		err = fault.New(fault.Usage, fault.T("standard input is open, but nothing came for %v", "标准输入已打开，但 %v 内没有内容", silence)).
			WithHint(fault.T("write the arguments to it and close it, or give them as one argument, such as '{}'", "请写入参数并关闭它，或以单个参数给出，例如 '{}'"))
	}
	return text, err
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
