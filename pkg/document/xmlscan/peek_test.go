package xmlscan

import (
	"strings"
	"testing"
)

func TestPeek(t *testing.T) {
	s := New(strings.NewReader("<a><b/><c>text</c><d/></a>"))
	if s.Peek(1) != nil {
		t.Error("nothing was scanned yet")
	}
	s.Next()
	if s.Next(); s.Raw() != "b" || s.Peek(1) != nil {
		t.Errorf("within the empty element %s", s.Raw())
	}
	s.Next()
	if got := string(s.Peek(100)); got != "<c>text</c><d/></a>" {
		t.Errorf("%q", got)
	}
	s.Discard(len("<c>text</c>"))
	if s.Next() != Start || s.Name() != "d" || s.Depth() != 2 {
		t.Errorf("%s at %d", s.Name(), s.Depth())
	}
	for s.Next() != EOF {
	}
	if s.Err() != nil || len(s.Peek(1)) != 0 {
		t.Errorf("%v", s.Err())
	}
}
