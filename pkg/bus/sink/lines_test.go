package sink_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"

	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/fault"
)

func TestLines(t *testing.T) {
	var out bytes.Buffer
	s := sink.NewLines(&out)
	again := message(id2, "<b> & 世界\\n")
	again.Deliveries = 3
	again.Content = "<b> & 世界\n"
	if err := errors.Join(s.Deliver(t.Context(), message(id1, "hello")), s.Deliver(t.Context(), again)); err != nil {
		t.Fatal(err)
	}
	if want := line(id1, "hello") + line(id2, `<b> & 世界\n`); out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Deliver(canceled, message(id1, "")); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if want := line(id1, "hello") + line(id2, `<b> & 世界\n`); out.String() != want {
		t.Errorf("after the end, %s was written", out.String()[len(want):])
	}
}

func TestLinesWithoutReader(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	failed(t, sink.NewLines(w).Deliver(t.Context(), message(id1, "x")), sink.Gone, fault.IOError)
}
