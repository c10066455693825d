package object_test

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// decoded returns the data of a stream with a dictionary, and the filters that are left.
func decoded(t *testing.T, dict, data string) (string, []object.Name, error) {
	t.Helper()
	f, err := open(document("<</Pages 2 0 R>>", "<</Type/Page>>", fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(data), data), "/ASCIIHexDecode"), "")
	if err != nil {
		t.Fatal(err)
	}
	out, rest, err := f.Data(f.Stream(object.Ref{Num: 3}))
	return string(out), rest, err
}

func deflate(t *testing.T, data []byte) string {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFilters(t *testing.T) {
	text := strings.Repeat("All work and no play. ", 20) + "\x00\x00\x00\x00."
	base85 := make([]byte, ascii85.MaxEncodedLen(len(text)))
	base85 = base85[:ascii85.Encode(base85, []byte(text))]
	for _, c := range []struct{ dict, data, want, rest string }{
		{"", "as it is", "as it is", ""},
		{"/Filter/ASCIIHexDecode", "41 4\n2 43 5>44", "ABCP", ""},
		{"/Filter 4 0 R", "41>", "A", ""},
		{"/Filter[/A85]", string(base85) + "~>", text, ""},
		{"/Filter/ASCII85Decode", "<~" + string(base85) + "~> more", text, ""},
		{"/Filter/ASCII85Decode", "87cURD]i,\"E", "Hello Wo", ""},
		{"/Filter/RL", "\x02abc\xfed\x80more", "abcddd", ""},
		{"/Filter/RunLengthDecode", "\x05ab", "ab", ""},
		// The example of 7.4.4.2.
		{"/Filter/LZWDecode", "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", "-----A---B", ""},
		{"/Filter/LZW", "\x80\x0b\x60\x50", "---", ""},
		{"/Filter[/AHx/RL]", "02 61 62 63 80>", "abc", ""},
		{"/Filter[/AHx/DCT]", "ffd8>", "\xff\xd8", "[DCTDecode]"},
		{"/Filter[/CCF/AHx]", "41>", "41>", "[CCITTFaxDecode ASCIIHexDecode]"},
		{"/Filter/JBIG2Decode", "x", "x", "[JBIG2Decode]"},
		{"/Filter/Unknown", "x", "x", "[Unknown]"},
		{"/Filter[/Crypt/AHx]/DecodeParms[<</Name/Identity>>null]", "41>", "A", ""},
		{"/Filter/FlateDecode/DecodeParms[<</Predictor 12/Columns 2>>]", deflate(t, []byte("\x02ab\x02\x01\x01\x00x")), "abbcx", ""},
		{"/Filter[/Fl]/DecodeParms<</Predictor 12/Columns 2>>", deflate(t, []byte("\x02ab\x02\x01\x01")), "abbc", ""},
		{"/Filter/Fl/DP<</Predictor 2/Columns 3>>", deflate(t, []byte("a\x01\x01x\x00\xff")), "abcxxw", ""},
		{"/Filter/Fl/DP<</Predictor 2/Columns 2/BitsPerComponent 16>>", deflate(t, []byte("\x01\xff\x00\x02")), "\x01\xff\x02\x01", ""},
		{"/Filter/Fl/DP<</Predictor 2/Columns 4/BitsPerComponent 4/Colors 1>>", deflate(t, []byte("\x12\x3f")), "\x13\x65", ""},
		{"/Filter/Fl/DP<</Predictor 2/Columns 8/BitsPerComponent 1>>", deflate(t, []byte("\xc1")), "\x81", ""},
		{"/Filter/Fl/DP<</Predictor 2/Columns 8/BitsPerComponent 3>>", deflate(t, []byte("\xc1")), "\xc1", ""},
		{"/Filter/Fl/DP<</Predictor 15/Columns 99999999999/Colors 99999999999/BitsPerComponent 99999999>>", deflate(t, []byte("\x00abc")), "abc", ""},
		{"/Filter/Fl/DP<</Predictor 15/Columns -1/Colors 0>>", deflate(t, []byte("\x00a\x00b")), "ab", ""},
	} {
		got, rest, err := decoded(t, c.dict, c.data)
		left := fmt.Sprint(rest)
		if rest == nil {
			left = ""
		}
		if got != c.want || left != c.rest || err != nil {
			t.Errorf("%s: %q left %s, %v, want %q", c.dict, got, left, err, c.want)
		}
	}
}

func TestFilterDamage(t *testing.T) {
	for _, c := range []struct{ dict, data, want string }{
		{"/Filter/LZWDecode", "\x80\x0b\x60\x7f\xff\xff", "-"},
		{"/Filter/FlateDecode", "no zlib data at all", ""},
	} {
		if got, _, err := decoded(t, c.dict, c.data); !strings.HasPrefix(got, c.want) || err == nil {
			t.Errorf("%s: %q, %v", c.dict, got, err)
		}
	}
}

// All five predictors of PNG undo what the encoder of the standard library does.
func TestPNGPredictors(t *testing.T) {
	const width, height = 61, 40
	r := rand.New(rand.NewPCG(3, 4))
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = byte(i/7 + i/width*3 + r.IntN(4)*(i/2000)) // rows that suit different predictors
		if i%4 == 3 {
			m.Pix[i] = byte(100 + i%100)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	var deflated []byte
	for data := b.Bytes()[8:]; len(data) > 12; {
		length := binary.BigEndian.Uint32(data)
		if string(data[4:8]) == "IDAT" {
			deflated = append(deflated, data[8:8+length]...)
		}
		data = data[12+length:]
	}
	got, _, err := decoded(t, fmt.Sprintf("/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 4/Columns %d>>", width), string(deflated))
	if err != nil || got != string(m.Pix) {
		t.Errorf("%d bytes differ from %d, %v", len(got), len(m.Pix), err)
	}
}

func TestText(t *testing.T) {
	f, err := open(document("<</Pages 2 0 R>>", "<</Type/Page>>", "(there)"), "")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"plain":                                "plain",
		"\x80\x84\x92\x9e\xa0\x18\x1f\xe9\xad": "•—™ž€˘˜é\uFFFD",
		"\xfe\xff\x00A\x20\xac\xd8\x3d\xde\x00\x00": "A€😀",
		"\xff\xfeA\x00": "A",
		"\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00A": "A",
		"\xfe\xff\xd8\x3d":                        "\uFFFD",
		"\xef\xbb\xbfé\xff":                       "é\uFFFD",
		"":                                        "",
	} {
		if got := f.Text(object.String(in)); got != want {
			t.Errorf("%s: %q, want %q", hex.EncodeToString([]byte(in)), got, want)
		}
	}
	if f.Text(object.Ref{Num: 3}) != "there" || f.Text(object.Name("name")) != "" || f.Text(nil) != "" {
		t.Error("text of other objects")
	}
}

// A value of another type is none.
func TestTyped(t *testing.T) {
	f, err := open(document("<</Pages 2 0 R>>", "<</Type/Page>>", "[1 2.9 true /n]", "<</A 1>>stream\nx\nendstream", "6 0 R", "3 0 R"), "")
	if err != nil {
		t.Fatal(err)
	}
	a := f.Array(object.Ref{Num: 5})
	if len(a) != 4 {
		t.Fatalf("%v", a)
	}
	if n, ok := f.Int(a[1]); n != 2 || !ok {
		t.Errorf("Int: %v, %v", n, ok)
	}
	if n, ok := f.Number(a[0]); n != 1 || !ok {
		t.Errorf("Number: %v, %v", n, ok)
	}
	if b, ok := f.Bool(a[2]); !b || !ok {
		t.Errorf("Bool: %v, %v", b, ok)
	}
	if f.Name(a[3]) != "n" {
		t.Errorf("Name: %v", f.Name(a[3]))
	}
	if f.Dict(object.Ref{Num: 4})["A"] != int64(1) || f.Stream(object.Ref{Num: 4}).ID() != (object.Ref{Num: 4}) {
		t.Error("the dictionary of a stream")
	}
	_, isInt := f.Int(a)
	_, isNumber := f.Number(object.Name("1"))
	_, isBool := f.Bool(int64(1))
	_, isHuge := f.Int(1e300)
	if isInt || isNumber || isBool || isHuge || f.Array(a[0]) != nil || f.Dict(a) != nil || f.Name(a) != "" || f.Stream(a) != nil || f.Rect(a) != (object.Rect{}) {
		t.Error("values of other types")
	}
}

// An object stream extends another, which the table does not know of.
func TestExtends(t *testing.T) {
	body := "%PDF-1.5\n1 0 obj<</Pages 2 0 R>>endobj\n2 0 obj<</Type/Page>>endobj\n" +
		"5 0 obj<</Type/ObjStm/N 1/First 5/Length 11>>stream\n10 0 (base)\nendstream endobj\n" +
		"6 0 obj<</Type/ObjStm/N 1/First 5/Extends 5 0 R/Length 10>>stream\n11 0 (top)\nendstream endobj\n"
	var rows bytes.Buffer
	for _, header := range []string{"1 0 obj", "2 0 obj", "5 0 obj", "6 0 obj"} {
		fmt.Fprintf(&rows, "\x01\x00%s\x00", []byte{byte(strings.Index(body, header))})
	}
	rows.WriteString("\x02\x00\x06\x00\x02\x00\x06\x00") // both claim to be in 6
	f, err := open(fmt.Appendf(nil, "%s7 0 obj<</Type/XRef/W[1 2 1]/Index[1 2 5 2 10 2]/Root 1 0 R/Filter/AHx/Length %d>>stream\n%x\nendstream endobj\nstartxref\n%d\n%%%%EOF",
		body, 2*rows.Len(), rows.Bytes(), len(body)), "")
	if err != nil {
		t.Fatal(err)
	}
	if f.Text(object.Ref{Num: 10}) != "base" || f.Text(object.Ref{Num: 11}) != "top" || f.Rebuilt() {
		t.Errorf("%v, %v (rebuilt: %v)", f.Resolve(object.Ref{Num: 10}), f.Resolve(object.Ref{Num: 11}), f.Rebuilt())
	}
}

// Handlers and versions that are not supported are said to be.
func TestUnsupportedEncryption(t *testing.T) {
	for encrypt, want := range map[string]string{
		"/Filter/Adobe.PubSec/V 4": "Adobe.PubSec", "/Filter/Standard/V 3/R 3": "version 3",
		"/Filter/Standard/V 4/R 4/StmF/A/CF<</A<</CFM/X>>>>": "unknown cipher",
		"/Filter/Standard/V 2/R 3/O(short)/U(short)":         "password",
		"/Filter/Standard/V 5/R 6/O(short)/U(short)":         "password",
	} {
		data := bytes.Replace(document("<</Pages 2 0 R>>", "<</Type/Page>>"), []byte("/Root"), []byte("/Encrypt<<"+encrypt+">>/Root"), 1)
		if _, err := open(data, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", encrypt, err)
		}
	}
	data := bytes.Replace(document("<</Pages 2 0 R>>", "<</Type/Page>>", "(plain)"), []byte("/Root"), []byte("/Encrypt 99 0 R/Root"), 1)
	if f, err := open(data, ""); err != nil || f.Text(object.Ref{Num: 3}) != "plain" || f.Encrypted() {
		t.Errorf("a dictionary that is lost: %v", err)
	}
}
