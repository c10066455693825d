package nats

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// putBytes puts a key of so many bytes.
func putBytes(s store.Store, bytes int) error {
	return s.Update(context.Background(), func(tx store.Tx) error { return tx.Put("k", make([]byte, bytes)) })
}

// wants checks the code of an error, and that its message and hint name some words.
func wants(t *testing.T, err error, code fault.Code, words ...string) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("%v, want %s", err, code)
		return
	}
	text := err.Error() + " " + fault.As(err).Hint.String()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q is not in %s", word, text)
		}
	}
	if strings.Contains(text, "s3cret") {
		t.Errorf("a secret is in %s", text)
	}
}

// says listens, sends a line to each client if there is one, and answers PING.
func says(t *testing.T, line string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				if line != "" {
					_, _ = fmt.Fprintf(c, "%s\r\n", line)
				}
				lines := bufio.NewScanner(c)
				for lines.Scan() {
					if lines.Text() == "PING" {
						_, _ = fmt.Fprint(c, "PONG\r\n")
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	wants(t, putBytes(fresh(t, nobody, "a"), 1), fault.Unavailable, nobody, "store.url")
	_, err = fresh(t, nobody, "a").Watch(t.Context())
	wants(t, err, fault.Unavailable)
	wants(t, putBytes(fresh(t, says(t, "SSH-2.0-OpenSSH_9.9"), "a"), 1), fault.NotConfigured, "not a NATS server")
	wants(t, putBytes(fresh(t, says(t, `INFO {"version":"2.11.9","jetstream":true}`), "a"), 1), fault.Unsupported, "2.11.9", "2.12")
	wants(t, putBytes(fresh(t, inProcess(t, func(o *server.Options) { o.JetStream = false }), "a"), 1), fault.Unsupported, "JetStream")
	if err := putBytes(fresh(t, nobody+","+inProcess(t), "a"), 1); err != nil {
		t.Error("the second server is not asked:", err)
	}

	// Whoever has no time does not wait.
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	err = fresh(t, says(t, ""), "a").View(ctx, func(r store.Reader) error {
		_, err := r.Get("k")
		return err
	})
	if got := fault.As(err).Code; got != fault.Timeout {
		t.Error(err)
	}
}

func TestUsers(t *testing.T) {
	all := []string{">"}
	address := inProcess(t, func(o *server.Options) {
		user := func(name string, publish, subscribe []string) *server.User {
			return &server.User{Username: name, Password: "s3cret", Permissions: &server.Permissions{
				Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe}}}
		}
		o.Users = []*server.User{
			user("all", all, all),
			user("enough", []string{"helve.a.>", "$JS.API.STREAM.*.helve-a", "$JS.API.STREAM.MSG.GET.helve-a", "$JS.API.DIRECT.GET.helve-a"}, []string{"_INBOX.>", "helve.a.bell.>"}),
			user("noapi", []string{"helve.a.>"}, all),
			user("nokeys", []string{"$JS.API.>", "helve.a.t.*"}, all),
			user("readonly", []string{"$JS.API.>"}, all),
			user("nobell", all, []string{"_INBOX.>"}),
			user("noinbox", all, []string{"helve.a.bell.>"}),
		}
	})
	as := func(user string) *Store { return fresh(t, user+"@"+address, "a") }
	wants(t, putBytes(fresh(t, address, "a"), 1), fault.PermissionDenied, "Authorization Violation", "store.credentials")
	wants(t, putBytes(as("all:s3cret-no"), 1), fault.PermissionDenied)
	wants(t, putBytes(as("s3cret-token"), 1), fault.PermissionDenied)
	for _, user := range []string{"all", "enough"} {
		s := as(user + ":s3cret")
		if err := putBytes(s, 1); err != nil {
			t.Errorf("%s: %v", user, err)
		}
		if bell, err := s.Watch(t.Context()); err != nil {
			t.Errorf("%s: %v", user, err)
		} else {
			<-bell
		}
		if got := get(t, s, "k"); got != "\x00" {
			t.Errorf("%s reads %q", user, got)
		}
	}
	wants(t, putBytes(as("noapi:s3cret"), 1), fault.PermissionDenied, "$JS.API.STREAM.INFO.helve-a", "$JS.API.DIRECT.GET.helve-a")
	wants(t, putBytes(as("readonly:s3cret"), 1), fault.PermissionDenied, `"helve.a.`)
	wants(t, putBytes(as("nokeys:s3cret"), 1), fault.PermissionDenied, `"helve.a.k.k"`, "helve.a.>")
	wants(t, putBytes(as("noinbox:s3cret"), 1), fault.PermissionDenied, "_INBOX")
	_, err := as("nobell:s3cret").Watch(t.Context())
	wants(t, err, fault.PermissionDenied, "helve.a.bell.>")
}

// made makes the stream of a namespace as an administrator would.
func made(t *testing.T, address, namespace string, change func(*streamConfig)) {
	t.Helper()
	l, err := fresh(t, address, namespace).dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	config := l.names.wanted(1)
	change(&config)
	body, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.stream(t.Context(), "CREATE", body); err != nil {
		t.Fatal(err)
	}
}

func TestLimits(t *testing.T) {
	address := inProcess(t, func(o *server.Options) { o.MaxPayload, o.JetStreamMaxStore = 200<<10, 1<<20 })
	s := fresh(t, address, "small")
	wants(t, putBytes(s, 200<<10), fault.TooLarge, "204800", "max_payload")
	if err := putBytes(s, 100<<10); err != nil { // the connection is as before
		t.Error(err)
	}

	made(t, address, "full", func(c *streamConfig) { c.MaxBytes = 100 << 10 })
	full := fresh(t, address, "full")
	if err := putBytes(full, 50<<10); err != nil {
		t.Fatal(err)
	}
	more := func(s store.Store, id string) error {
		return s.Update(t.Context(), func(tx store.Tx) error {
			_, _, err := tx.Append("s", id, make([]byte, 90<<10))
			return err
		})
	}
	wants(t, more(full, "a"), fault.IOError, "maximum bytes exceeded", "helve-full")
	if m := found(t, full, "a"); m != nil {
		t.Error("what was refused is there:", m.ID)
	}
	if got := get(t, full, "k"); len(got) != 50<<10 {
		t.Error("what was there is gone")
	}

	// The disk that the server may use is full, too.
	var err error
	for i := 0; err == nil && i < 30; i++ {
		err = more(s, fmt.Sprint(i))
	}
	wants(t, err, fault.IOError)
}

func TestStreamOfAnother(t *testing.T) {
	address := inProcess(t)
	made(t, address, "aged", func(c *streamConfig) { c.MaxAge, c.MaxSubject, c.Subjects = int64(time.Hour), 5, c.Subjects[:3] })
	wants(t, putBytes(fresh(t, address, "aged"), 1), fault.NotConfigured, "helve-aged", "max_age: 0", "max_msgs_per_subject: 1", "subjects: helve.aged.t.*")
	made(t, address, "forgets", func(c *streamConfig) { c.Discard, c.MaxBytes, c.Storage = "old", 1<<20, "memory" })
	wants(t, putBytes(fresh(t, address, "forgets"), 1), fault.NotConfigured, "discard: new", "storage: file")
	made(t, address, "plain", func(c *streamConfig) {
		c.Subjects, c.Republish = []string{"helve.plain.*", "helve.plain.*.>"}, nil
	})
	if err := putBytes(fresh(t, address, "plain"), 1); err != nil {
		t.Error(err)
	}
}
