package nats

import (
	"errors"
	"testing"

	client "github.com/nats-io/nats.go"
)

// What a server answers is a record, an error of its own, or said to be unreadable.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"message":{"subject":"helve.a.k.b","seq":7,"hdrs":"TkFUUy8xLjANCkhlbHZlLVJlbW92ZWQ6IDENCg0K","data":"eA==","time":"2026-01-02T03:04:05.678Z"}}`), 1)
	f.Add([]byte(`{"error":{"code":404,"err_code":10037,"description":"no message found"}}`), 1)
	f.Add([]byte(`{"stream":"helve-a","seq":12,"batch":"x","count":3}`), 3)
	f.Add([]byte("NATS/1.0\r\nNats-Subject: helve.a.m.s.id\r\nNats-Sequence: 7\r\nNats-Time-Stamp: 2026-01-02T03:04:05Z\r\nHelve-Last: 5\r\n\r\n"), 1)
	f.Fuzz(func(t *testing.T, body []byte, messages int) {
		known := func(err error) bool {
			_, theirs := errors.AsType[*apiError](err)
			return err == nil || theirs || errors.Is(err, errAnswer)
		}
		if r, err := decodeStored(body); !known(err) || err != nil && r.seq != 0 {
			t.Fatal(r, err)
		}
		if header, err := client.DecodeHeadersMsg(body); err == nil {
			if r, err := decodeDirect(&client.Msg{Header: header}); !known(err) || err == nil && (r.seq == 0 || r.subject == "") {
				t.Fatal(r, err)
			}
		}
		if messages < 1 || messages > maxWrites {
			return
		}
		if seq, err := decodeAck(body, messages); !known(err) || err == nil && seq < uint64(messages) {
			t.Fatal(seq, err)
		}
	})
}

func TestSubjects(t *testing.T) {
	n := subjects{namespace: "team"}
	for _, key := range []string{"a", "a/b.c/d@e:f+g-h_i", "a.b/c..d"} {
		subject := n.key(key)
		if got, ok := n.keyOf(subject); !ok || got != key {
			t.Errorf("%s is %s, and that %s", key, subject, got)
		}
		if !covers(n.keys(""), subject) || covers(n.keys("b/"), subject) {
			t.Error(subject)
		}
	}
	if !covers(n.keys("a/"), n.key("a/b/c")) || covers(n.keys("a/"), n.key("a")) || covers(n.keys("a/"), n.key("ab/c")) {
		t.Error("a prefix matches what is not below it")
	}
	subject := n.message("a.b", "c.d")
	if id, ok := n.idOf("a.b", subject); !ok || id != "c.d" || !covers(n.messages("a.b"), subject) {
		t.Error(subject, id)
	}
	for _, subject := range []string{n.message("s", "i"), n.key("a/b"), n.head("s"), n.transaction("X")} {
		among := 0
		for _, all := range n.all() {
			if covers(all, subject) {
				among++
			}
		}
		if among != 1 || covers(n.bell(), subject) {
			t.Error(subject, among)
		}
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		wide, narrow string
		want         bool
	}{
		{">", "a.b", true}, {">", "a.>", true}, {"a.>", "a.*.*", true}, {"a.>", "a", false}, {"a.*", "a.b", true}, {"a.*", "a.*", true}, {"a.*", "a.>", false},
		{"a.b", "a.*", false}, {"a", "a.b", false}, {"a.b.c", "a.b", false}, {"a.*.c", "a.b.c", true},
	} {
		if got := covers(c.wide, c.narrow); got != c.want {
			t.Errorf("%s covers %s: %t", c.wide, c.narrow, got)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for version, want := range map[string]bool{"2.12.0": true, "2.15.2": true, "3.0.0": true, "2.12.0-RC.1": true, "2.11.9": false, "1.99.0": false, "": false, "2": false, "x.y": false} {
		if atLeast(version, 2, 12) != want {
			t.Error(version)
		}
	}
}
