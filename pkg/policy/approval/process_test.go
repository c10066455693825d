package approval

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// With this variable set, the test binary does one job instead of testing.
const jobEnv = "APPROVAL_TEST_JOB"

func TestMain(m *testing.M) {
	switch os.Getenv(jobEnv) {
	case "redeem": // base, root, id
		os.Exit(redeem(os.Args[1], os.Args[2], os.Args[3]))
	case "under":
		fmt.Print(StartedByHelve(false))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// redeem waits for its stdin to end, so that all start at once, and then says
// what became of it.
func redeem(base, root, id string) int {
	d, err := state.Open(base, root, state.Options{LockWait: time.Minute})
	if err != nil {
		fmt.Print(err)
		return 1
	}
	fmt.Println("ready")
	if _, err := os.Stdin.Read(make([]byte, 1)); err == nil {
		return 1
	}
	if _, err := NewStore(d).Redeem(context.Background(), id, call()); err != nil {
		fmt.Print(fault.As(err).Code)
		return 0
	}
	fmt.Print("won")
	return 0
}

func TestOneOfManyProcessesWins(t *testing.T) {
	const processes = 50
	base, root := filepath.Join(t.TempDir(), "state"), t.TempDir()
	d, err := state.Open(base, root, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := NewStore(d)
	r := ask(t, s)
	if _, err := s.Approve(t.Context(), r.ID, "ann"); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	gate, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var running []*exec.Cmd
	outs := make([]bytes.Buffer, processes)
	for i := range processes {
		cmd := exec.CommandContext(t.Context(), exe, base, root, r.ID)
		cmd.Env = append(os.Environ(), jobEnv+"=redeem")
		cmd.Stdin, cmd.Stdout = gate, &outs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	if err := held.Close(); err != nil { // off they go
		t.Fatal(err)
	}
	won := 0
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, outs[i].String())
		}
		switch got := strings.TrimPrefix(outs[i].String(), "ready\n"); got {
		case "won":
			won++
		case string(fault.ApprovalInvalid):
		default:
			t.Errorf("said %q", got)
		}
	}
	if got, err := s.Get(r.ID); won != 1 || err != nil || got.State != Used {
		t.Errorf("%d won; %+v, %v", won, got, err)
	}
}

// A process that is killed somewhere in redeeming leaves the approval used or
// not used, whole in either case, and never lets two win.
func TestKilledWhileRedeeming(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 15 {
		base, root := filepath.Join(t.TempDir(), "state"), t.TempDir()
		d, err := state.Open(base, root, state.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := NewStore(d)
		r := ask(t, s)
		if _, err := s.Approve(t.Context(), r.ID, "ann"); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), exe, base, root, r.ID)
		cmd.Env = append(os.Environ(), jobEnv+"=redeem")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, len("ready\n"))); err != nil {
			t.Fatal(err)
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Duration(round) * 300 * time.Microsecond) // another moment each round
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		var said bytes.Buffer
		_, _ = said.ReadFrom(out) // what it said before it was killed
		_ = cmd.Wait()            // killed, or done just before
		_, err = s.Redeem(t.Context(), r.ID, call())
		got, geterr := s.Get(r.ID)
		switch {
		case geterr != nil || got.State != Used:
			t.Errorf("%+v, %v", got, geterr)
		case err == nil && strings.Contains(said.String(), "won"):
			t.Error("both won")
		case err != nil && !fault.Is(err, fault.ApprovalInvalid):
			t.Error(err)
		}
	}
}
