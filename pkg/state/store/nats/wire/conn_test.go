package wire

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
)

// A server that refuses the inbox may say so before the first question: that one is
// answered with it all the same, and does not wait in vain.
func TestInboxRefused(t *testing.T) {
	near, far := net.Pipe()
	defer func() { _ = far.Close() }() // a pipe has nothing to lose
	c := newConn(near, bufio.NewReader(near), Info{})
	defer c.Close()
	go func() {
		for lines := bufio.NewScanner(far); lines.Scan(); {
			switch verb, rest, _ := strings.Cut(lines.Text(), " "); verb {
			case "SUB":
				subject, _, _ := strings.Cut(rest, " ")
				_, _ = fmt.Fprintf(far, "-ERR 'Permissions Violation for Subscription to \"%s\"'\r\n", subject)
			case "PING":
				_, _ = fmt.Fprint(far, "PONG\r\n")
			}
		}
	}()
	c.start()
	if err := c.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	a, err := c.Ask(Publication{Subject: "question"})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	_, err = a.Next(t.Context())
	if refused, ok := errors.AsType[*PermissionError](err); !ok || !strings.Contains(refused.Text, "_INBOX.") {
		t.Error(err)
	}
}
