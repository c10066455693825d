package sink_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/bus/sink"
)

// The variables that tell the test binary to deliver and to die: where the store and
// its workspace are, the file to deliver to, and the stage at which it dies.
const (
	killedBase      = "HELVE_TEST_KILLED_BASE"
	killedWorkspace = "HELVE_TEST_KILLED_WORKSPACE"
	killedFile      = "HELVE_TEST_KILLED_FILE"
	killedStage     = "HELVE_TEST_KILLED_STAGE"
)

// TestPumpKilled kills a process at each stage of a delivery. The message is delivered
// when its lease has run out, and the file has it once.
func TestPumpKilled(t *testing.T) {
	if stage := os.Getenv(killedStage); stage != "" {
		dieDelivering(t, stage)
		return
	}
	for _, stage := range []string{"claimed", "half written", "written"} {
		t.Run(stage, func(t *testing.T) {
			base, workspace, file := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "out")
			kept := open(t, base, workspace)
			b := bus.New(kept, time.Now)
			send(t, b, "1:a", "1:b", "1:c")
			c := exec.Command(os.Args[0], "-test.run=^TestPumpKilled$")
			c.Env = append(os.Environ(), killedBase+"="+base, killedWorkspace+"="+workspace, killedFile+"="+file, killedStage+"="+stage)
			if out, err := c.CombinedOutput(); err == nil || len(out) > 0 {
				t.Fatalf("%v\n%s", err, out)
			}
			p := &sink.Pump{Bus: b, Name: "n", Sink: &sink.File{Path: file}, Timeout: time.Minute}
			if err := p.Run(t.Context(), true); err != nil { // nothing comes before its turn
				t.Fatal(err)
			}
			before, _ := os.ReadFile(file)
			p.Bus = bus.New(kept, later(time.Hour))
			if err := p.Run(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			all, err := b.Sent(t.Context(), bus.Filter{}, 10)
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			for _, m := range all {
				want += fmt.Sprintf(`{"id":%q,"seq":%d,"channel":"telegram","to":"1","kind":"message","content":%q,"created_at":%q}`+"\n", m.ID, m.Seq, m.Content, m.CreatedAt.Format(time.RFC3339Nano))
			}
			if got := read(t, file); got != want || len(all) != 3 {
				t.Errorf("the file had\n%s\nand has\n%s\nwant\n%s", before, got, want)
			}
		})
	}
}

// dieDelivering delivers one message and dies at the second.
func dieDelivering(t *testing.T, stage string) {
	file := &sink.File{Path: os.Getenv(killedFile)}
	s := deliverFunc(func(ctx context.Context, m bus.Message) error {
		if m.Content == "a" {
			return file.Deliver(ctx, m)
		}
		switch stage {
		case "half written":
			f, err := os.OpenFile(file.Path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			if _, err := f.WriteString(`{"id":"` + m.ID + `","seq":`); err != nil {
				return err
			}
		case "written":
			if err := file.Deliver(ctx, m); err != nil {
				return err
			}
		}
		self, err := os.FindProcess(os.Getpid())
		if err = errors.Join(err, self.Kill()); err != nil {
			return err
		}
		select {} // nothing more happens
	})
	b := bus.New(open(t, os.Getenv(killedBase), os.Getenv(killedWorkspace)), time.Now)
	p := &sink.Pump{Bus: b, Name: "n", Sink: s, Timeout: time.Minute}
	t.Fatalf("alive: %v", p.Run(t.Context(), true))
}
