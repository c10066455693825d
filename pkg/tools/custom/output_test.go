package custom

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

func TestContent(t *testing.T) {
	c := custom{&manifest.Tool{Name: "x"}, nil}
	for in, want := range map[string]string{
		`[]`: "",
		`[{"type":"text","text":"a"},{"type":"text","text":"b\n"}]`:                                       "a\nb\n",
		`{"content":[{"type":"resource_link","uri":"file:///a"}],"structuredContent":{"a":1}}`:            "[file:///a]\n",
		"{\"type\":\"text\",\"text\":\"a\"}\n\n{\"type\":\"audio\",\"mimeType\":\"b\",\"data\":\"AA==\"}": "a\n[audio b, 1 bytes]\n",
		`[{"type":"resource","resource":{"uri":"u","text":"t"}}]`:                                         "[u]\nt\n",
	} {
		got, err := c.content([]byte(in))
		if err != nil || text(got, screen.View{}) != want {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{`1`, `nonsense`, `[1]`, `[{"type":"image"}]`, `[{"type":"resource"}]`, `[{"type":"dance"}]`, `{"content":3}`} {
		if got, err := c.content([]byte(in)); !fault.Is(err, fault.BadDocument) {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
	if _, err := c.content([]byte(`{"content":[{"type":"text","text":"why\nbecause"}],"isError":true}`)); !fault.Is(err, fault.IOError) || fault.As(err).Message.In(fault.English) != "x failed: because" {
		t.Error(err)
	}
}

// Blocks are those of the protocol, whatever a program prints instead, and so is what it
// asks for.
func TestForeignContent(t *testing.T) {
	c := custom{&manifest.Tool{Name: "x", Stdin: manifest.CallStdin}, nil}
	many := `{"inputRequests":{` + strings.Repeat(`"%":{"method":"roots/list"},`, maxQuestions)
	for i := range maxQuestions {
		many = strings.Replace(many, "%", strings.Repeat("a", i+1), 1)
	}
	for _, in := range []string{
		"null", `{"content":null}`, "[{\"type\":\"text\",\"text\":\"\xff\"}]", `[{"type":"text","text":1}]`,
		`[{"type":"text","text":"a","annotations":1}]`, `[{"type":"text","text":"a","_meta":[]}]`, `[{"type":"image","mimeType":"a/b","data":"?"}]`, `[{"type":"image","data":"AA=="}]`,
		`[{"type":"resource","resource":{"uri":"u"}}]`, `[{"type":"resource","resource":{"uri":"u","text":"","blob":""}}]`, `[{"type":"resource","resource":{"uri":"u","blob":"?"}}]`,
		strings.Repeat("[", 100_000), `{"content":[],"isError":1}`, `{"content":[]} {"content":[]}`,
		`{"inputRequests":{}}`, `{"inputRequests":[]}`, `{"inputRequests":null}`, `{"inputRequests":{"a":{"method":"tools/call"}}}`, `{"inputRequests":{"a":{"method":"roots/list","params":[]}}}`,
		`{"inputRequests":{"a":1}}`, `{"inputRequests":{"a":{"method":"roots/list"}},"content":[]}`, `{"inputRequests":{"a":{"method":"roots/list"}},"requestState":1}`,
		many + `"b":{"method":"roots/list"}}}`,
	} {
		if got, err := c.content([]byte(in)); !fault.Is(err, fault.BadDocument) {
			t.Errorf("%.100s: %v, %v", in, got, err)
		}
	}
	_, err := c.content([]byte(`{"inputRequests":{"a":{"method":"roots/list"}, "b":{"method":"elicitation/create","params":{"x":1}}},"requestState":"s"}`))
	want := tool.Asked{Requests: json.RawMessage(`{"a":{"method":"roots/list"},"b":{"method":"elicitation/create","params":{"x":1}}}`), State: "s"}
	if !fault.Is(err, fault.Unsupported) || !reflect.DeepEqual(fault.As(err).Details, want) {
		t.Errorf("%v, %s", err, fault.As(err).Details)
	}
	c.Stdin = manifest.JSONStdin
	if _, err := c.content([]byte(`{"inputRequests":{"a":{"method":"roots/list"}}}`)); !fault.Is(err, fault.BadDocument) {
		t.Errorf("a program that reads no answer: %v", err)
	}
}

// Progress is what comes before the result, however the output is cut into pieces.
func TestProgress(t *testing.T) {
	const tooLong = "the whole input, of which 100 bytes are kept"
	for _, c := range []struct {
		in, told, rest string
	}{
		{"", "", ""},
		{"{\"progress\":1}", "1/0 ", ""},
		{"\n{\"progress\":1,\"total\":4,\"message\":\"a\"}\r\n\n {\"type\":\"progress\",\"progress\":2.5} \n[]\n", "1/4a 2.5/0 ", "[]\n"},
		{"{\"progress\":2}\n{\"progress\":2}\n{\"progress\":1}\n{\"progress\":3}\n", "2/0 3/0 ", ""},
		{"[\n{\"progress\":1}\n]\n", "", "[\n{\"progress\":1}\n]\n"},
		{"{\"progress\":\"half\"}\n", "", "{\"progress\":\"half\"}\n"},
		{"{\"progress\":1e999}\n", "", "{\"progress\":1e999}\n"},
		{"{\"progress\":1,\"more\":1}\n", "", "{\"progress\":1,\"more\":1}\n"},
		{"{\"progress\":1} {\"progress\":2}\n", "", "{\"progress\":1} {\"progress\":2}\n"},
		{"{\"progress\":1,\"message\":\"\xff\"}\n", "", "{\"progress\":1,\"message\":\"\xff\"}\n"},
		{"{\"progress\":1,\"message\":\"" + strings.Repeat("a", maxLine) + "\"}\n", "", tooLong},
		{strings.Repeat("a", 200) + "\n" + strings.Repeat("b", 1<<20), "", tooLong},
	} {
		for _, size := range []int{1, 7, 4096, 1 << 21} {
			var told strings.Builder
			p := newPrinted(100, func(done, total float64, message string) { fmt.Fprintf(&told, "%v/%v%s ", done, total, message) }, func() { t.Error("ended") })
			for piece := range slices.Chunk([]byte(c.in), size) {
				p.take(run.Chunk{Data: piece})
				p.take(run.Chunk{Stderr: true, Data: []byte("noise\n")})
			}
			rest, total := p.rest()
			if c.rest == tooLong {
				if total != int64(len(c.in)) || told.Len() > 0 || len(p.kept) > 100+maxLine {
					t.Errorf("%.60q in pieces of %d: %d bytes, %d are kept", c.in, size, total, len(p.kept))
				}
				continue
			}
			if string(rest) != c.rest || total != int64(len(c.rest)) || told.String() != c.told || p.endless() {
				t.Errorf("%.60q in pieces of %d: %.100q of %d, told %q", c.in, size, rest, total, told.String())
			}
		}
	}
}

// A program that does nothing but report progress is ended.
func TestEndlessProgress(t *testing.T) {
	ended := 0
	p := newPrinted(100, nil, func() { ended++ })
	for i := range maxProgress + 10 {
		p.take(run.Chunk{Data: fmt.Appendf(nil, "{\"progress\":%d}\n", i)})
	}
	c := custom{&manifest.Tool{Name: "x", Output: manifest.ContentOutput}, nil}
	if _, err := c.result(&run.Result{Ended: run.Canceled}, p); ended != 1 || !fault.Is(err, fault.BadDocument) || len(p.kept) != 0 {
		t.Errorf("ended %d times, %v", ended, err)
	}
}

// FuzzPrinted takes whatever a program prints, in pieces: what comes out does not depend on
// where it was cut.
func FuzzPrinted(f *testing.F) {
	f.Add([]byte("{\"progress\":1}\n{\"content\":[]}\n"), 3)
	f.Add([]byte("\n\n{\"progress\":1,\"total\":2}{}"), 1)
	f.Fuzz(func(t *testing.T, out []byte, size int) {
		read := func(size int) string {
			var told strings.Builder
			p := newPrinted(1000, func(done, total float64, message string) { fmt.Fprintf(&told, "%v/%v%q ", done, total, message) }, func() {})
			for piece := range slices.Chunk(out, size) {
				p.take(run.Chunk{Data: piece})
			}
			rest, total := p.rest()
			return fmt.Sprintf("%s%q of %d", told.String(), rest[:min(len(rest), 1000)], total)
		}
		if whole, pieces := read(len(out)+1), read(max(1, size)); whole != pieces {
			t.Errorf("%s, in pieces %s", whole, pieces)
		}
	})
}

// A message quotes 300 characters of the last line, and 200 bytes of output that is
// in the wrong format.
func TestQuotes(t *testing.T) {
	for n, want := range map[int]string{300: strings.Repeat("世", 300), 301: strings.Repeat("世", 300) + "…"} {
		if got := lastLine("first\n" + strings.Repeat("世", n) + "\n\n"); got != want {
			t.Errorf("%d characters: %s", n, got)
		}
	}
	c := custom{&manifest.Tool{Name: "x"}, nil}
	for n, want := range map[int]int{200: 200, 201: 200} {
		message := fault.As(c.malformed([]byte(strings.Repeat("y", n)), "JSON")).Message.In(fault.English)
		if got := strings.Count(message, "y"); got != want {
			t.Errorf("%d bytes: %d are quoted", n, got)
		}
	}
}

// FuzzOutput reads whatever a program prints: the outcome is a fault that is
// ours, or a result that is JSON.
func FuzzOutput(f *testing.F) {
	for _, s := range []string{`{"ok":true,"data":[1e400]}`, `{"ok":false,"error":{"code":"rejected"}}`, `[{"type":"text","text":"\ud800"}]`, "{\"ok\":\n", `{"content":[{"type":"image","data":"x"}],"isError":true}`} {
		f.Add([]byte(s))
	}
	c := custom{&manifest.Tool{Name: "x"}, nil}
	f.Fuzz(func(t *testing.T, out []byte) {
		for _, read := range []func([]byte) (any, error){c.envelope, c.content} {
			got, err := read(out)
			if err != nil {
				if code := fault.As(err).Code; !manifest.Reportable(code) {
					t.Fatal(code)
				}
				continue
			}
			if encoded, err := schema.Marshal(got); err != nil || !json.Valid(encoded) {
				t.Fatalf("%s, %v", encoded, err)
			}
			_ = text(got, screen.View{})
		}
	})
}
