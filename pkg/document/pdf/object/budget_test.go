package object

import (
	"bytes"
	"strings"
	"testing"
)

// What a file may make its reader do in all is bounded.
func TestBudgets(t *testing.T) {
	text := []byte("%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Type/Page>>endobj\n" +
		"3 0 obj<</Filter/RL/Length 401>>stream\n" + strings.Repeat("\x81a", 200) + "\x80\nendstream endobj 4 0 obj(four)endobj")
	f, err := Open(bytes.NewReader(text), int64(len(text)), "")
	if err != nil {
		t.Fatal(err)
	}
	stream := f.Stream(Ref{Num: 3})
	if data, _, err := f.Data(stream); len(data) != 25600 || err != nil {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	f.inflated = maxInflated - 1000
	if data, _, err := f.Data(stream); len(data) > 1000 || len(data) < 500 || err == nil {
		t.Errorf("%d bytes of the last thousand, %v", len(data), err)
	}
	f.inflated = maxInflated
	if data, _, err := f.Data(stream); data != nil || err == nil {
		t.Errorf("%d bytes of none, %v", len(data), err)
	}
	f.work = f.mostWork() + 1
	if v := f.Resolve(Ref{Num: 4}); v != nil {
		t.Errorf("read beyond the limit: %v", v)
	}
	f.work = 0
	delete(f.cache, 4)
	if v := f.Text(Ref{Num: 4}); v != "four" {
		t.Errorf("%q", v)
	}
}

// The parts of a file that are kept do not grow with it.
func TestCacheIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Type/Page>>endobj\n")
	b.WriteString("3 0 obj(" + strings.Repeat("text ", maxCached/20) + ")endobj 4 0 obj(" + strings.Repeat("text ", maxCached/20) + ")endobj ")
	b.WriteString("5 0 obj[" + strings.Repeat("0 ", maxValues+10) + "]endobj 6 0 obj(" + strings.Repeat("text ", maxCached/5) + ")endobj")
	f, err := Open(strings.NewReader(b.String()), int64(b.Len()), "")
	if err != nil {
		t.Fatal(err)
	}
	for num := 3; num <= 6; num++ {
		if f.Resolve(Ref{Num: num}) == nil {
			t.Errorf("object %d is missing", num)
		}
		if f.cached > maxCached {
			t.Errorf("%d bytes are kept", f.cached)
		}
	}
	if a := f.Array(Ref{Num: 5}); len(a) != maxValues {
		t.Errorf("%d values", len(a))
	}
}
