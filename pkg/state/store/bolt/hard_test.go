package bolt

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
)

// The test binary is also the other processes that the tests need: with childEnv set it
// appends messages until it is killed, instead of running tests.
const childEnv = "BOLT_TEST_CHILD"

func TestMain(m *testing.M) {
	if sender := os.Getenv(childEnv); sender != "" {
		if err := send(sender, os.Args[1], os.Args[2]); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// send appends a number of messages and says so after each.
func send(sender, base, root string) error {
	dir, err := state.Open(base, root, state.Options{})
	if err != nil {
		return err
	}
	for i := range messagesOfOne {
		s := Open(dir) // as a process of its own would
		id := fmt.Sprintf("%s-%03d", sender, i)
		err := s.Update(context.Background(), func(tx store.Tx) error {
			_, _, err := tx.Append("s", id, []byte("of "+id))
			if err != nil {
				return err
			}
			return tx.Put("senders/"+sender, []byte(id))
		})
		if err != nil {
			return err
		}
		fmt.Println("ok", id)
	}
	return nil
}

const messagesOfOne = 6

// TestKilled has 40 processes append messages, some of which are killed at any moment.
// What they said is there, once and in their order; so may be one more of each.
func TestKilled(t *testing.T) {
	base, root := filepath.Join(t.TempDir(), "state"), t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	type sender struct {
		cmd  *exec.Cmd
		out  io.ReadCloser
		stop int // kill it when it has said so many; -1 is never
	}
	draw := rand.New(rand.NewPCG(5, 6))
	said := make([][]string, 40)
	const atOnce = 10
	for begin := 0; begin < len(said); begin += atOnce {
		var running []sender
		for i := begin; i < begin+atOnce; i++ {
			cmd := exec.Command(exe, base, root)
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=p%02d", childEnv, i))
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			stop := -1
			if i%2 == 0 {
				stop = draw.IntN(messagesOfOne)
			}
			running = append(running, sender{cmd, out, stop})
		}
		for i, s := range running {
			lines := bufio.NewScanner(s.out)
			for n := 0; ; n++ {
				if n == s.stop {
					_ = s.cmd.Process.Kill() // it may have ended
				}
				if !lines.Scan() {
					break
				}
				id, ok := strings.CutPrefix(lines.Text(), "ok ")
				if !ok {
					t.Errorf("process %d: %s", begin+i, lines.Text())
				}
				said[begin+i] = append(said[begin+i], id)
			}
			if err := s.cmd.Wait(); err != nil && s.stop < 0 {
				t.Errorf("process %d: %v", begin+i, err)
			}
		}
	}
	s := openAt(t, base, root)
	got := make([][]string, len(said))
	err = s.View(t.Context(), func(r store.Reader) error {
		messages, err := r.Read("s", 0, 1e6)
		for _, m := range messages {
			i, err := strconv.Atoi(m.ID[1:3])
			if err != nil || string(m.Data) != "of "+m.ID {
				return fmt.Errorf("message %+v: %w", m, err)
			}
			got[i] = append(got[i], m.ID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range said {
		if extra := len(got[i]) - len(said[i]); extra < 0 || extra > 1 || !slices.Equal(got[i][:len(said[i])], said[i]) || !slices.IsSorted(got[i]) {
			t.Errorf("process %d said %v, and there are %v", i, said[i], got[i])
		}
	}
	report, err := s.Check(t.Context())
	if err != nil || len(report.Damage) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestNetworkFileSystem(t *testing.T) {
	s := fresh(t)
	s.remote = func(string) (string, error) { return "nfs", nil }
	_, watching := s.Watch(t.Context())
	for what, err := range map[string]error{
		"view":   s.View(t.Context(), func(store.Reader) error { return nil }),
		"update": s.Update(t.Context(), func(store.Tx) error { return nil }),
		"watch":  watching,
	} {
		if !fault.Is(err, fault.Unsupported) || !strings.Contains(fault.As(err).Hint.String(), "store.url") {
			t.Errorf("%s: %v", what, err)
		}
	}
	kind, err := remote(t.TempDir())
	if err != nil || kind != "" {
		t.Errorf("the directory of the tests is on %q: %v", kind, err)
	}
	s = fresh(t)
	s.remote = func(string) (string, error) { return "", errors.New("of the system") }
	if err := s.View(t.Context(), func(store.Reader) error { return nil }); !fault.Is(err, fault.IOError) {
		t.Errorf("the system does not say: %v", err)
	}
}

func TestNewerStore(t *testing.T) {
	s := touched(t)
	if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.Put("k", []byte("v")) }); err != nil {
		t.Fatal(err)
	}
	path, _, err := s.enter(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	f, err := attach(path, false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.update(t.Context(), s.dir.Now, nil, func(tx *tx) error {
		return tx.write(func() error {
			at := formatKey()
			return tx.bucket.Put(at, sealNumber(at, version+1))
		})
	})
	f.release()
	if err != nil {
		t.Fatal(err)
	}
	_, checking := s.Check(t.Context())
	_, repairing := s.Repair(t.Context())
	_, compacting := s.Compact(t.Context())
	for what, err := range map[string]error{
		"view":    s.View(t.Context(), func(store.Reader) error { return nil }),
		"update":  s.Update(t.Context(), func(store.Tx) error { return nil }),
		"check":   checking,
		"repair":  repairing,
		"compact": compacting,
	} {
		if !fault.Is(err, fault.Unsupported) || !strings.Contains(fault.As(err).Message.String(), strconv.Itoa(version+1)) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestGrowth puts, changes and deletes for long: pages are used again.
func TestGrowth(t *testing.T) {
	s := fresh(t)
	var path string
	var early int64
	for round := range 120 {
		err := s.Update(t.Context(), func(tx store.Tx) error {
			for i := range 20 {
				id := fmt.Sprintf("%d-%d", round, i)
				if _, _, err := tx.Append("s", id, make([]byte, 500)); err != nil {
					return err
				}
				if err := tx.Remove("s", fmt.Sprintf("%d-%d", round-1, i)); err != nil {
					return err
				}
				if err := tx.Put("k/"+strconv.Itoa(i), make([]byte, 300+round%7)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if round == 20 {
			if path, _, err = s.enter(t.Context(), false); err != nil {
				t.Fatal(err)
			}
			early = sizeOf(t, path)
		}
	}
	if late := sizeOf(t, path); late > 2*early || late > 1<<20 {
		t.Errorf("%d bytes after 20 rounds, %d after 120", early, late)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestCreationIsRepeated begins with what processes left that died while they made
// the file.
func TestCreationIsRepeated(t *testing.T) {
	put := func(s *Store) {
		t.Helper()
		if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.Put("k", []byte("v")) }); err != nil {
			t.Fatal(err)
		}
		e, err := got(t, s, "k")
		if err != nil || string(e.Value) != "v" {
			t.Errorf("%+v, %v", e, err)
		}
	}
	drafted := fresh(t)
	path, _, err := drafted.enter(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := drafted.dir.Directory(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", bytes.Repeat([]byte("x"), 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	put(drafted)
	put(touched(t))
}

func got(t *testing.T, s *Store, key string) (e store.Entry, err error) {
	t.Helper()
	err = s.View(t.Context(), func(r store.Reader) (err error) {
		e, err = r.Get(key)
		return err
	})
	return e, err
}
