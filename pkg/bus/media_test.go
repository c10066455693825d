package bus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// A file stays as it was sent as long as a message names it, and not much longer.
func TestMedia(t *testing.T) {
	w := newWorld(t)
	w.clock.now = time.Now()
	b := w.WithMedia(w.dir, "")
	f, err := b.Keep(t.Context(), "out/Chart.PNG", strings.NewReader("\x89PNG\r\n\x1a\n"))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := w.dir.Path()
	if err != nil {
		t.Fatal(err)
	}
	const sha = "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6"
	if diff := cmp.Diff(bus.File{Path: "out/Chart.PNG", Kept: filepath.Join(dir, "media", sha+".png"), SHA: sha, MIME: "image/png", Bytes: 8}, f); diff != "" {
		t.Error(diff)
	}
	spare, err := b.Keep(t.Context(), "spare", strings.NewReader("nobody sends this"))
	if err != nil {
		t.Fatal(err)
	}
	m := message("see")
	m.Media = []bus.File{f}
	w.send(m)
	exists := func(file bus.File) bool {
		_, err := os.Stat(file.Kept)
		return err == nil
	}
	for _, step := range []struct {
		after             time.Duration
		messages, files   int
		hasSent, hasSpare bool
	}{
		{0, 0, 0, true, true},
		{2 * time.Hour, 0, 1, true, false},
		{30 * 24 * time.Hour, 1, 0, true, false}, // the dead letter names it
		{90 * 24 * time.Hour, 0, 1, false, false},
	} {
		w.forward(step.after)
		done, err := b.Compact(t.Context())
		if err != nil || done.Messages != step.messages || done.Files != step.files || exists(f) != step.hasSent || exists(spare) != step.hasSpare {
			t.Errorf("%v: %+v, %v", step, done, err)
		}
	}
	_, err = b.Keep(t.Context(), "large", strings.NewReader(strings.Repeat("x", bus.MaxBytes+1)))
	wantCode(t, "a large file", err, fault.TooLarge)
	_, err = w.Keep(t.Context(), "a", strings.NewReader("a"))
	wantCode(t, "without a place", err, fault.Unsupported)
}

// Who keeps a file removes those that are not needed, once a day.
func TestMediaIsCleaned(t *testing.T) {
	w := newWorld(t)
	w.clock.now = time.Now()
	b := w.WithMedia(w.dir, "")
	keep := func(text string) bus.File {
		f, err := b.Keep(t.Context(), "f.txt", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first := keep("one")
	w.forward(23 * time.Hour)
	keep("two")
	if _, err := os.Stat(first.Kept); err != nil {
		t.Error(err)
	}
	w.forward(2 * time.Hour)
	keep("three")
	if _, err := os.Stat(first.Kept); err == nil {
		t.Error("a file that nobody needs stays")
	}
}

// Hosts that share a store: a small file comes along, a large one stays where it is.
func TestMediaOfHosts(t *testing.T) {
	w := newWorld(t)
	far, err := state.Open(t.TempDir(), t.TempDir(), state.Options{Now: w.Now})
	if err != nil {
		t.Fatal(err)
	}
	here, there := w.WithMedia(w.dir, "here"), w.WithMedia(far, "there")
	m := message("see")
	for _, content := range []string{"small", strings.Repeat("large", 60<<10)} {
		f, err := here.Keep(t.Context(), "a.txt", strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		m.Media = append(m.Media, f)
	}
	w.send(m)
	receive := func(b *bus.Bus, consumer string) []bus.File {
		got, err := b.Receive(t.Context(), bus.ReceiveOptions{Consumer: consumer})
		if err != nil || len(got) != 1 || len(got[0].Media) != 2 {
			t.Fatal(got, err)
		}
		return got[0].Media
	}
	if diff := cmp.Diff(m.Media, receive(here, "a")); diff != "" {
		t.Error(diff)
	}
	got := receive(there, "b")
	if got[0].Kept == m.Media[0].Kept || got[1].Kept != "" || got[1].Host != "here" {
		t.Errorf("%+v", got)
	}
	content, err := os.ReadFile(got[0].Kept)
	if err != nil || string(content) != "small" {
		t.Errorf("%q, %v", content, err)
	}
	w.forward(time.Hour)
	if _, err := here.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := receive(there, "c"); got[0].Kept == "" {
		t.Errorf("removed too early: %+v", got)
	}
	w.forward(31 * 24 * time.Hour)
	if _, err := here.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	letters, err := w.Dead(t.Context(), "a", bus.Filter{}, 1)
	if err != nil || len(letters) != 1 {
		t.Fatal(letters, err)
	}
	w.forward(90 * 24 * time.Hour)
	done, err := here.Compact(t.Context())
	if err != nil || done.Letters != 3 {
		t.Errorf("%+v, %v", done, err)
	}
}
