package line

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/out"
)

// TestStream cuts characters in two: they are printed once they are complete.
func TestStream(t *testing.T) {
	var b bytes.Buffer
	s := &stream{out: out.New(&b, io.Discard)}
	text := []byte("aé上😀z")
	for i := range text {
		s.write(text[i:i+1], false)
	}
	s.write([]byte("!"), true)
	want := `{"t":"out","d":"a"}
{"t":"out","d":"é"}
{"t":"out","d":"上"}
{"t":"out","d":"😀"}
{"t":"out","d":"z"}
{"t":"err","d":"!"}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}
