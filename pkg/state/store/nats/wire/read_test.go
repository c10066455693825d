package wire

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func reader(text string) *bufio.Reader {
	return bufio.NewReaderSize(strings.NewReader(text), maxLine)
}

func TestReadOperation(t *testing.T) {
	r := reader("INFO {\"version\":\"2.15.2\"}\r\nPING\r\nPONG\r\n+OK\r\n-ERR 'Stale Connection'\r\n" +
		"MSG a.b 7 5\r\nhello\r\nMSG a 7 in.box 0\r\n\r\nHMSG a 1 25 27\r\nNATS/1.0\r\nName: value\r\n\r\nok\r\nHMSG a 1 r 16 16\r\nNATS/1.0 503\r\n\r\n\r\n" +
		"HMSG a 1 29 29\r\nNATS/1.0 404 No Results\r\n\r\n\r\n\r\n")
	for _, want := range []operation{
		{verb: verbInfo, text: `{"version":"2.15.2"}`},
		{verb: verbPing},
		{verb: verbPong},
		{verb: verbOK},
		{verb: verbErr, text: "Stale Connection"},
		{verb: verbMsg, sid: 7, msg: Message{Subject: "a.b", Data: []byte("hello")}},
		{verb: verbMsg, sid: 7, msg: Message{Subject: "a", Data: []byte{}}},
		{verb: verbMsg, sid: 1, msg: Message{Subject: "a", Header: Header{Fields: []Field{{"Name", "value"}}}, Data: []byte("ok")}},
		{verb: verbMsg, sid: 1, msg: Message{Subject: "a", Header: Header{Status: 503}, Data: []byte{}}},
	} {
		got, err := readOperation(r)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(operation{})); d != "" {
			t.Error(d)
		}
	}
	if _, err := readOperation(r); !errors.Is(err, ErrProtocol) {
		t.Error("a header with two empty lines:", err)
	}
}

func TestReadOperationRefuses(t *testing.T) {
	for _, text := range []string{
		"GET / HTTP/1.1\r\n", "\r\n", "MSG a\r\n", "MSG a x 1\r\n1\r\n", "MSG a 1 r q 1\r\n1\r\n", "MSG a 1 -1\r\n", "MSG a 1 99999999999\r\n", "MSG a 1 8388609\r\n",
		"MSG a 1 1\r\nxyz", "HMSG a 1 4\r\nabcd\r\n", "HMSG a 1 5 4\r\nabcd\r\n", "HMSG a 1 4 4\r\nabcd\r\n", "HMSG a 1 14 14\r\nNATS/1.0 x4\r\n\r\n\r\n",
		strings.Repeat("x", maxLine+1),
	} {
		if op, err := readOperation(reader(text)); !errors.Is(err, ErrProtocol) {
			t.Errorf("%.40q is %+v, %v", text, op, err)
		}
	}
	for _, text := range []string{"MSG a 1 5\r\nhel", "MSG a 1 5\r\nhello\r"} {
		if _, err := readOperation(reader(text)); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := readOperation(reader("PIN")); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func FuzzReadOperation(f *testing.F) {
	f.Add([]byte("INFO {\"headers\":true}\r\nPING\r\n"))
	f.Add([]byte("MSG a.b 7 in.box 5\r\nhello\r\n-ERR 'Permissions Violation for Publish to \"a\"'\r\n"))
	f.Add([]byte("HMSG a 1 25 27\r\nNATS/1.0\r\nName: value\r\n\r\nok\r\n"))
	f.Add([]byte("HMSG a 1 16 16\r\nNATS/1.0 204 EOB\r\n\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := reader(string(data))
		for {
			op, err := readOperation(r)
			if err != nil {
				return
			}
			if op.verb == 0 || op.verb != verbMsg && (op.msg.Subject != "" || op.sid != 0) || len(op.msg.Data) > len(data) {
				t.Fatalf("%+v", op)
			}
		}
	})
}

// What is published is what a message is, but for its first word: read back it is the
// same.
func FuzzHeader(f *testing.F) {
	f.Add("NATS/1.0 404 No Results\r\n\r\n", "a", "b", []byte("data"))
	f.Add("NATS/1.0\r\nNats-Sequence: 7\r\nHelve-Removed: 1\r\n\r\n", "Nats-TTL", "120s", []byte{})
	f.Fuzz(func(t *testing.T, text, name, value string, data []byte) {
		if h, err := ParseHeader(text); err == nil && h.Status < 0 {
			t.Fatalf("%+v", h)
		}
		if name == "" || strings.ContainsAny(name, ":\r\n") || strings.ContainsAny(value, "\r\n") || strings.TrimSpace(value) != value || len(data) > maxMessage/2 || len(name)+len(value) > maxMessage/2 {
			return
		}
		sent := string(appendPublish(nil, "a.b", "7", []Field{{name, value}}, data))
		op, err := readOperation(reader(strings.Replace(sent, "HPUB", "HMSG", 1)))
		if err != nil || op.sid != 7 || op.msg.Header.Get(name) != value || string(op.msg.Data) != string(data) {
			t.Fatalf("%q is %+v, %v", sent, op, err)
		}
	})
}
