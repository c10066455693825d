package cmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// silence is how long an open standard input may stay silent before the call is
// refused: a host that forgot to close it must not hang forever.
const silence = 10 * time.Second

// readInput returns the JSON arguments of a call of t: from the positional
// argument or standard input, with those that were given as flags.
func readInput(cmd *cobra.Command, t *tool.Tool, args []string, given *members) ([]byte, error) {
	switch {
	case len(args) > 1:
		return nil, fault.New(fault.Usage, fault.T("%s takes one argument, %d were given", "%s 只接受一个参数，实际给出 %d 个", t.Name, len(args))).
			WithHint(fault.T("quote an argument that contains spaces", "含空格的参数请加引号"))
	case len(args) == 0 && !given.empty():
		return given.into([]byte("{}")), nil
	case len(args) == 0 || args[0] == "-":
		text, err := readStdin(cmd.Context(), cmd.InOrStdin())
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(text)) == 0 {
			text = []byte("{}")
		}
		return given.into(text), nil
	case strings.HasPrefix(strings.TrimSpace(args[0]), "{"):
		return given.into([]byte(args[0])), nil
	case t.DefaultArg == "":
		return nil, fault.New(fault.Usage, fault.T("%s takes JSON or flags, not %s", "%s 接受 JSON 或选项，不接受 %s", t.Name, args[0])).
			WithHint(fault.T("helve %s --help lists the flags", "helve %s --help 列出选项", t.Name))
	}
	f, _ := t.Schema().Field(t.DefaultArg)
	if err := (&argument{given, f}).Set(args[0]); err != nil {
		return nil, err
	}
	return given.into([]byte("{}")), nil
}

// readStdin reads standard input to its end. From a terminal it reads nothing: a
// person would wait for a prompt that does not come.
func readStdin(ctx context.Context, in io.Reader) ([]byte, error) {
	if process.IsTerminal(in) {
		return nil, nil
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
	patience := time.NewTimer(silence)
	defer patience.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-patience.C:
			return nil, fault.New(fault.Usage, fault.T("standard input is open, but nothing came for %v", "标准输入已打开，但 %v 内没有内容", silence)).
				WithHint(fault.T("write the arguments to it and close it, or give them as one argument, such as '{}'", "请写入参数并关闭它，或以单个参数给出，例如 '{}'"))
		case <-begun:
			patience.Stop()
			begun = nil
		case r := <-done:
			if r.err != nil {
				return nil, fault.New(fault.IOError, fault.T("standard input could not be read", "无法读取标准输入")).
					WithHint(fault.T("give the JSON as one argument instead", "请改为以单个参数给出 JSON")).Because(r.err)
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
