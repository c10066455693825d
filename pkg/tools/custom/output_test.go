package custom

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

func TestContent(t *testing.T) {
	c := custom{&manifest.Tool{Name: "x"}, nil}
	for in, want := range map[string]string{
		`[]`: "",
		`[{"type":"text","text":"a"},{"type":"text","text":"b\n"}]`:                                       "a\nb\n",
		`{"content":[{"type":"resource_link","uri":"file:///a"}],"structuredContent":{"a":1}}`:            "[file:///a]\n",
		"{\"type\":\"text\",\"text\":\"a\"}\n\n{\"type\":\"audio\",\"mimeType\":\"b\",\"data\":\"AA==\"}": "a\n[audio b, 3 bytes]\n",
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
