package ticket_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server/ticket"
	"github.com/helve-dev/helve/pkg/state"
)

func open(t *testing.T, base string) *state.Dir {
	t.Helper()
	d, err := state.Open(base, t.TempDir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func key(t *testing.T, d *state.Dir) ticket.Key {
	t.Helper()
	k, err := ticket.KeyOf(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func call(t *testing.T, tool, args, caller string) ticket.Call {
	t.Helper()
	c, err := ticket.CallOf(tool, []byte(args), caller)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A ticket opens with the key of its workspace, for its call, until it expires, and no bit
// of it can change.
func TestTicket(t *testing.T) {
	d := open(t, t.TempDir())
	k := key(t, d)
	now := time.Date(2026, 11, 23, 20, 0, 0, 0, time.UTC)
	c := call(t, "write", `{"path":"a","n":1.0}`, "me")
	want := ticket.Ticket{For: c, Expires: now.Add(time.Minute), Approval: "ID", State: "its <own>", Answers: []byte(`{"name":{"action":"accept"}}`)}
	sealed, err := k.Seal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := key(t, d).Open(sealed, call(t, "write", `{ "n": 1, "path": "a" }`, "me"), now)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Error(diff)
	}
	for i := range sealed {
		for _, bit := range []byte{1, 2, 4, 8, 16, 32, 64, 128} {
			changed := []byte(sealed)
			changed[i] ^= bit
			if _, err := k.Open(string(changed), c, now); !fault.Is(err, fault.InvalidArguments) {
				t.Fatalf("byte %d ^ %d: %v", i, bit, err)
			}
		}
	}
	for name, bad := range map[string]string{
		"none": "", "cut": sealed[:len(sealed)-1], "longer": sealed + "A", "a line": sealed + "\n", "in lines": sealed[:10] + "\r\n" + sealed[10:],
		"twice": sealed + "." + sealed, "huge": strings.Repeat("A", 2<<20),
	} {
		if _, err := k.Open(bad, c, now); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, other := range map[string]ticket.Call{
		"tool": call(t, "edit", `{"path":"a","n":1.0}`, "me"), "args": call(t, "write", `{"path":"a","n":2}`, "me"), "caller": call(t, "write", `{"path":"a","n":1.0}`, "you"),
	} {
		if _, err := k.Open(sealed, other, now); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if _, err := k.Open(sealed, c, now.Add(time.Minute)); !fault.Is(err, fault.ApprovalInvalid) {
		t.Errorf("too late: %v", err)
	}
	if _, err := key(t, open(t, t.TempDir())).Open(sealed, c, now); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("another workspace: %v", err)
	}
	if _, err := ticket.Key(nil).Open(sealed, c, now); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("no key: %v", err)
	}
	if _, err := k.Seal(ticket.Ticket{State: strings.Repeat("x", 1<<20)}); !fault.Is(err, fault.TooLarge) {
		t.Errorf("too large: %v", err)
	}
}

// Only its owner reads the key.
func TestKey(t *testing.T) {
	d := open(t, t.TempDir())
	key(t, d)
	path, err := d.Path()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(path, "mcp.key"))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

// Whatever a client brings, nothing opens that was not sealed.
func FuzzOpen(f *testing.F) {
	k := ticket.Key(strings.Repeat("k", 32))
	c := ticket.Call{Tool: "write", Args: "0", Caller: "me"}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	sealed, err := k.Seal(ticket.Ticket{For: c, Expires: at.Add(time.Hour), Approval: "ID"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed)
	f.Add(sealed[:len(sealed)-1])
	f.Add("e30.e30")
	f.Add(".")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := k.Open(text, c, at)
		if (err == nil) != (text == sealed) || (got == nil) != (err != nil) {
			t.Errorf("%q opens as %+v, %v", text, got, err)
		}
	})
}
