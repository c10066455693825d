package tools_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// peer is a call as the tests of another system's tool make it, or as its prompt
// has it made.
type peer struct {
	Peer, Case string
	Tool       string // the name that we know it by
	Files      map[string]string
	Args       json.RawMessage
	// Code is the fault of the call; none if it succeeds. Then is the call that the
	// fault's hint leads to, with "$ACCEPT" for the id of the first candidate and, if
	// it is for another tool, its name as "tool".
	Code fault.Code
	Then map[string]any
	Want map[string]*string // the files at the end; null if there is none
	// PeerWants is what the peer's own test wants: applied, error or partial. Why is
	// the reason if that is something else, or if the peer writes other bytes.
	PeerWants string `json:"peer_wants"`
	Why       string
}

// TestPeers makes the calls of testdata/peers.json: each succeeds with the right
// bytes, or fails with nothing changed and is mended by one more call.
func TestPeers(t *testing.T) {
	raw, err := os.ReadFile("testdata/peers.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []peer
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 150 {
		t.Errorf("%d calls", len(all))
	}
	for _, p := range all {
		t.Run(p.Peer+"/"+p.Case, p.check)
	}
}

func (p peer) check(t *testing.T) {
	w := newWorld(t)
	before := make(map[string]*string, len(p.Files))
	for name, content := range p.Files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(w.dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		w.file(t, name, content)
		before[name] = &content
	}
	failed := w.attempt(t, p.Tool, p.Args)
	code := fault.Code("")
	if failed != nil {
		code = failed.Code
	}
	if code != p.Code {
		t.Fatalf("%q and not %q: %v", code, p.Code, failed)
	}
	outcome := "applied"
	if failed != nil {
		outcome = "error"
		w.holds(t, before)
	}
	if outcome != p.PeerWants && p.Why == "" {
		t.Errorf("%s, but the peer wants %s: there is no reason", outcome, p.PeerWants)
	}
	if p.Then != nil {
		name := "edit"
		if _, patched := p.Then["patch"]; patched {
			name = "patch"
		}
		delete(p.Then, "tool")
		if p.Then["accept"] == "$ACCEPT" {
			p.Then["accept"] = firstCandidate(t, failed)
		}
		again, err := json.Marshal(p.Then)
		if err != nil {
			t.Fatal(err)
		}
		if failed := w.attempt(t, name, again); failed != nil {
			t.Fatalf("not mended: %v", failed)
		}
	}
	w.holds(t, p.Want)
}

// attempt makes a call and returns its fault.
func (w *world) attempt(t *testing.T, name string, args []byte) *fault.Error {
	t.Helper()
	one, err := w.catalog.For(name, args)
	if err != nil {
		return fault.As(err)
	}
	return guard.Run(t.Context(), w.env, one, args).Err
}

// firstCandidate returns the id that a fault offers first.
func firstCandidate(t *testing.T, failed *fault.Error) string {
	t.Helper()
	details, err := json.Marshal(failed.Details)
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Candidates []struct{ ID string } }
	if err := json.Unmarshal(details, &d); err != nil || len(d.Candidates) == 0 {
		t.Fatalf("no candidate: %s", details)
	}
	return d.Candidates[0].ID
}

// holds checks the files of the workspace.
func (w *world) holds(t *testing.T, want map[string]*string) {
	t.Helper()
	for name, content := range want {
		raw, err := os.ReadFile(filepath.Join(w.dir, name))
		switch {
		case content == nil && !errors.Is(err, fs.ErrNotExist):
			t.Errorf("%s is still there: %v", name, err)
		case content == nil:
		case err != nil:
			t.Error(err)
		case string(raw) != *content:
			t.Errorf("%s is %q, not %q", name, raw, *content)
		}
	}
}
