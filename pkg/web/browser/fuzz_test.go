package browser

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// Messages come out as they went in, however they are cut, and never longer than allowed.
func FuzzSplitter(f *testing.F) {
	f.Add([]byte("one\x00two\x00\x00rest"), 2, 16)
	f.Add([]byte("\x00"), 1, 0)
	f.Add(bytes.Repeat([]byte("x"), 64), 7, 32)
	f.Fuzz(func(t *testing.T, data []byte, piece, most int) {
		piece, most = max(1, piece), max(0, min(most, 1<<16))
		s := splitter{most: most}
		var got [][]byte
		var err error
		for rest := data; len(rest) > 0 && err == nil; {
			n := min(piece, len(rest))
			err = s.add(bytes.Clone(rest[:n]), func(m []byte) { got = append(got, bytes.Clone(m)) })
			rest = rest[n:]
		}
		want := bytes.Split(data, []byte{0})
		for i, m := range got {
			if len(m) > most || !bytes.Equal(m, want[i]) {
				t.Fatalf("message %d is %q, want %q", i, m, want[i])
			}
		}
		if err == nil && (len(got) != len(want)-1 || !bytes.Equal(s.rest, want[len(want)-1])) {
			t.Fatalf("%d messages and %q, want %d and %q", len(got), s.rest, len(want)-1, want[len(want)-1])
		}
		if err != nil && len(want[len(got)]) <= most {
			t.Fatalf("%q was refused", want[len(got)])
		}
	})
}

// Whatever the browser says, it changes no more than what is waited for.
func FuzzConnection(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{"a":1}}` + "\x00"))
	f.Add([]byte(`{"id":1,"error":{"code":-1,"message":"no"}}` + "\x00" + `{"id":1}` + "\x00"))
	f.Add([]byte(`{"method":"Target.attachedToTarget","params":{"sessionId":"S","targetInfo":{"type":"page","browserContextId":"C"}}}` + "\x00"))
	f.Add([]byte(`{"sessionId":"S","method":"Network.requestWillBeSent","params":{"requestId":"1","loaderId":"1","type":"Document"}}` + "\x00null\x00[]\x00{\x00"))
	f.Add([]byte(`{"sessionId":"S","method":"Page.javascriptDialogOpening","params":7}` + "\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := newConnection()
		tab := newTab(&process{connection: c}, "http://example.org/", time.Unix(0, 0), Request{})
		tab.context, tab.session = "C", "S"
		c.on("", tab.outside)
		c.on("S", tab.inside)
		answer, _, err := c.post("", "Browser.getVersion", nil)
		if err != nil {
			t.Fatal(err)
		}
		c.received(data)
		if len(answer) > 1 || len(tab.open) > maxRequests || len(c.outbox) > maxOutbox {
			t.Fatal("it grows")
		}
	})
}

// A snapshot is written in time that its size bounds, as HTML that runs nothing.
func FuzzSnapshot(f *testing.F) {
	f.Add([]byte(`{"documents":[{"documentURL":0,"title":1,"nodes":{"parentIndex":[-1,0,1,2,1],"nodeType":[9,1,1,3,1],"nodeName":[-1,2,3,-1,4],
		"nodeValue":[-1,-1,-1,5,-1],"attributes":[[],[6,7],[],[],[]],"contentDocumentIndex":{"index":[4],"value":[1]}}},
		{"documentURL":-1,"nodes":{"parentIndex":[-1,0,1],"nodeType":[9,1,3],"nodeName":[-1,2,-1],"nodeValue":[-1,-1,5],"attributes":[[],[],[]]}}],
		"strings":["https://example.org/","T","HTML","BODY","IFRAME","<b>","onload","x()"]}`))
	f.Add([]byte(`{"documents":[{"nodes":{"parentIndex":[-1,5],"nodeType":[9,1],"nodeName":[0,0],"nodeValue":[0,0],"attributes":[[],[]]}}],"strings":["A"]}`))
	f.Add([]byte(`{"documents":[{"nodes":{"parentIndex":[-1],"nodeType":[1],"nodeName":[0],"nodeValue":[-1],"attributes":[[]],"contentDocumentIndex":{"index":[0],"value":[0]}}}],"strings":["iframe"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parseSnapshot(data)
		if err != nil {
			return
		}
		s.final()
		text, whole, _, err := s.html()
		if err != nil {
			return
		}
		if len(text) > maxHTML+len("<!DOCTYPE html>") {
			t.Fatalf("%d bytes, whole: %v", len(text), whole)
		}
		z := html.NewTokenizer(strings.NewReader(text))
		for z.Next() != html.ErrorToken {
			token := z.Token()
			if token.Type != html.StartTagToken {
				continue
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") {
					t.Fatalf("%s would run", token)
				}
			}
		}
	})
}

// A page that is as deep as it is long is written without a stack as deep.
func TestSnapshotDepth(t *testing.T) {
	const deep = 200_000
	s := snapshot{Strings: []string{"DIV"}, Documents: []document{{}}}
	n := &s.Documents[0].Nodes
	for i := range deep {
		n.Parent, n.Type, n.Name, n.Value = append(n.Parent, i-1), append(n.Type, elementNode), append(n.Name, 0), append(n.Value, -1)
		n.Attributes = append(n.Attributes, nil)
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	again, err := parseSnapshot(data)
	if err != nil {
		t.Fatal(err)
	}
	text, whole, _, err := again.html()
	if err != nil || !whole || strings.Count(text, "<div>") != deep || strings.Count(text, "</div>") != deep {
		t.Errorf("%d bytes, %v, %v", len(text), whole, err)
	}
	n.Value[0], n.Type[deep-1] = 0, textNode
	s.Strings[0] = strings.Repeat("x", maxHTML)
	for i := range n.Value {
		n.Value[i] = 0
	}
	if text, whole, _, err = s.html(); err != nil || whole || len(text) > maxHTML+64 {
		t.Errorf("%d bytes, %v, %v", len(text), whole, err)
	}
}
