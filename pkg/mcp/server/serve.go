package server

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server/pipe"
)

// Serve answers one client, over a pipe: a message of JSON-RPC a line. It returns when
// the client has closed its end and everything that it asked for is answered, or when ctx
// ends, or nobody reads out, and everything that it asked for has ended. It writes nothing
// but messages to out. The fault is io_error.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if err := s.Refresh(); err != nil {
		return err
	}
	defer s.endTasks()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.works.wait()
	s.works.begin(ctx)
	calls, gone := context.WithCancel(ctx)
	defer s.calls.wait()
	defer gone()
	s.calls.begin(calls)
	go s.watch(ctx)
	id := ""
	if s.Apart {
		id = rand.Text()
	}
	p := pipe.New(in, out, id, s.Log)
	p.Order = &arrivals{all: &s.queues}
	session, err := s.mcp.Connect(ctx, p, nil)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = p.Close() })() // it cannot fail
	if err = session.Wait(); err != nil {
		cancel() // nobody asks for what goes on
	}
	if err == nil || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) { // the client has gone, as each will
		return nil
	}
	return fault.New(fault.IOError, fault.T("the client cannot be answered")).
		WithHint(fault.T("look at where standard output leads")).Because(err)
}
