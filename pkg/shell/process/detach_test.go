package process

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// echo is the answer of the child of a test.
type echo struct {
	Spec string   `json:"spec"`
	Env  []string `json:"env"`
}

// The test binary is also the process that is started: it does what its argument says.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case "__echo":
			spec, _ := io.ReadAll(os.Stdin)
			Answer(os.Stdout, echo{string(spec), os.Environ()}, nil)
			os.Exit(0)
		case "__fault":
			Answer(os.Stdout, nil, fault.New(fault.NotFound, fault.T("no such thing")).WithHint(fault.T("look again")))
			os.Exit(0)
		case "__silent":
			os.Exit(0)
		case "__babble":
			_, _ = io.WriteString(os.Stdout, "panic: not an answer\n")
			os.Exit(0)
		case "__stuck":
			deaf := make(chan os.Signal, 1)
			signal.Notify(deaf)
			for range deaf {
				continue // until it is killed
			}
		}
	}
	os.Exit(m.Run())
}

func TestStart(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	long := bytes.Repeat([]byte("x"), 1<<20) // more than a pipe holds
	start := func(ctx context.Context, argument string, within time.Duration) (echo, error) {
		var e echo
		err := Start(ctx, Command{Program: exe, Argument: argument, Env: []string{"A=1", "HELVE=0"}, Spec: long, Within: within}, &e)
		return e, err
	}
	e, err := start(t.Context(), "__echo", time.Minute)
	if err != nil || e.Spec != string(long) {
		t.Errorf("%d bytes, %v", len(e.Spec), err)
	}
	if !slices.Contains(e.Env, "A=1") || !slices.Contains(e.Env, "HELVE=1") || slices.Contains(e.Env, "HELVE=0") || slices.ContainsFunc(e.Env, func(s string) bool { return strings.HasPrefix(s, "PATH=") }) {
		t.Errorf("its environment is %q", e.Env)
	}
	_, err = start(t.Context(), "__fault", time.Minute)
	if f := fault.As(err); f == nil || f.Code != fault.NotFound || f.Message.String() != "no such thing" || f.Hint.String() != "look again" {
		t.Errorf("%v", err)
	}
	for _, argument := range []string{"__silent", "__babble"} {
		if _, err := start(t.Context(), argument, time.Minute); !errors.Is(err, ErrSilent) {
			t.Errorf("%s: %v", argument, err)
		}
	}
	if _, err := start(t.Context(), "__stuck", time.Millisecond); !errors.Is(err, ErrLate) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the caller has gone")
	cancel(gone)
	if _, err := start(ctx, "__stuck", time.Minute); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
	err = Start(t.Context(), Command{Program: exe + ".not", Argument: "__echo", Within: time.Minute}, &e)
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("a program that is not there: %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	have := []string{"A=1", "AB=2", "A=3", "C"}
	if d := cmp.Diff([]string{"AB=2", "C", "A=x", "D="}, Environment(have, "A=x", "D=")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"A=1", "AB=2", "A=3", "C"}, have); d != "" {
		t.Errorf("the caller's has changed: %s", d)
	}
}

// FuzzHear reads what another program may have written.
func FuzzHear(f *testing.F) {
	f.Add("{}\n")
	f.Add(`{"code":"not_found","message":"%s"}` + "\n")
	f.Add(`{"reply":{"spec":"x"}}` + "\n")
	f.Add(`{"reply":7}` + "\n")
	f.Add("{")
	f.Fuzz(func(t *testing.T, line string) {
		var e echo
		err := Hear(bufio.NewReader(strings.NewReader(line)), &e)
		var object map[string]json.RawMessage
		whole, _, _ := strings.Cut(line, "\n")
		switch {
		case err == nil && (json.Unmarshal([]byte(whole), &object) != nil || len(object) == 0):
			t.Errorf("%q is taken for an answer", line)
		case err != nil && !errors.Is(err, ErrSilent) && fault.As(err).Code == "":
			t.Errorf("%q: %v", line, err)
		}
	})
}
