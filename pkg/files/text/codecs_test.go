package text

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestCodecs compares with the codecs of Python: what they wrote is read without being
// told the encoding, and an edit gives the bytes that they would have written.
func TestCodecs(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	before := "名前 = 漢字かなカナ\r\nplain ASCII \\ ~\n# これはコメントです。\n\tend of it\n"
	after := strings.Replace(strings.Replace(before, "漢字", "新しい文字", 1), "plain", "very plain", 1)
	rows := []struct{ Codec, Encoding string }{
		{"utf-32", UTF32LE}, {"utf-32-le", UTF32LE}, {"utf-32-be", UTF32BE}, {"utf-16", UTF16LE}, {"iso2022_jp", ISO2022JP},
		{"shift_jis", "shift_jis"}, {"euc_jp", "euc-jp"}, {"utf-8-sig", UTF8},
	}
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.Codec
	}
	input, err := json.Marshal(map[string]any{"codecs": names, "texts": []string{before, after}})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-c", `import base64, json, sys
given = json.load(sys.stdin)
print(json.dumps([[base64.b64encode(t.encode(c)).decode() for t in given["texts"]] for c in given["codecs"]]))`)
	c.Stdin = bytes.NewReader(input)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var written [][][]byte
	if err := json.Unmarshal(out, &written); err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		raw, want := written[i][0], written[i][1]
		d, err := Decode(raw, "")
		if err != nil || d.Text != before || d.Encoding != r.Encoding || len(d.Damaged) > 0 {
			t.Errorf("%s: %+v, %v", r.Codec, d, err)
			continue
		}
		if got, err := d.Encode(after); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: an edit gives % x, %v; want % x", r.Codec, got, err, want)
		}
		p, _, err := survey(t.Context(), bytes.NewReader(raw), int64(len(raw)), "", 7)
		if err != nil || p.Encoding != r.Encoding || p.TotalLines != 4 {
			t.Errorf("%s, streamed: %+v, %v", r.Codec, p, err)
		}
	}
}

// TestDeclined: bytes that are not in the encoding that the caller names are read as
// what they are, and the result says so.
func TestDeclined(t *testing.T) {
	long := strings.Repeat("一些中文文本，用来检测编码。\n", 30)
	gbk := encoded(t, mustLookup(t, "gbk").enc, long)
	for _, c := range []struct {
		name, raw, hint, encoding, declined string
		damaged                             bool
	}{
		{"utf-8 named gbk", long, "gbk", UTF8, "gbk", false},
		{"gbk named utf-8", string(gbk), "utf-8", "gbk", UTF8, false},
		{"gbk named shift_jis", string(gbk), "ascii", "gbk", UTF8, false},
		{"gbk named gbk", string(gbk), "gbk", "gbk", "", false},
		{"a stray byte", string(gbk) + "\xff\n", "gbk", "gbk", "", true},
		{"a stray byte in utf-8", long + "\xff\n", "utf-8", UTF8, "", true},
		{"ascii named utf-32", "plain text\n", "utf-32", UTF8, UTF32LE, false},
		{"utf-32 named gbk", "\xff\xfe\x00\x00a\x00\x00\x00\n\x00\x00\x00", "gbk", UTF32LE, "gbk", false},
		{"anything is raw", "\xff\xfe\x00", "raw-8bit", Raw8Bit, "", false},
		{"escapes for colours", "\x1b[1mbold\x1b(B\n", "", UTF8, "", false},
		{"a shift and no characters", "\x1b$B", "", UTF8, "", false},
		{"iso-2022-kr", "\x1b$)C \x0e0!\x0f\n", "", UTF8, "", false},
	} {
		d, err := Decode([]byte(c.raw), c.hint)
		if err != nil || d.Encoding != c.encoding || d.Declined != c.declined || len(d.Damaged) > 0 != c.damaged {
			t.Errorf("%s: %+v, %v", c.name, d, err)
			continue
		}
		p, _, err := survey(t.Context(), strings.NewReader(c.raw), int64(len(c.raw)), c.hint, 5)
		if err != nil || p.Encoding != d.Encoding || p.Declined != d.Declined || len(p.Damaged) != len(d.Damaged) {
			t.Errorf("%s, streamed: %+v, %v", c.name, p, err)
		}
	}
	if _, err := Decode([]byte("a"), "klingon"); !fault.Is(err, fault.EncodingUnsupported) {
		t.Error(err)
	}
}

func mustLookup(t *testing.T, name string) charset {
	t.Helper()
	cs, ok := lookup(name)
	if !ok {
		t.Fatal(name)
	}
	return cs
}
