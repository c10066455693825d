package object_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

func tokens(content string) []object.Value {
	var all []object.Value
	l := object.NewLexer([]byte(content))
	for {
		v, ok := l.Next()
		if !ok {
			return all
		}
		all = append(all, v)
	}
}

func TestLexer(t *testing.T) {
	type values = []object.Value
	name := func(s string) object.Value { return object.Name(s) }
	str := func(s string) object.Value { return object.String(s) }
	op := func(s string) object.Value { return object.Operator(s) }
	i := func(n int) object.Value { return int64(n) }
	for _, c := range []struct {
		in   string
		want values
	}{
		{"/A#42 /a#2 /# / /a/b", values{name("AB"), name("a#2"), name("#"), name(""), name("a"), name("b")}},
		{"/A;Name_With-Various***Chars?", values{name("A;Name_With-Various***Chars?")}},
		{"1 -2 +3 --4 0017 .5 -.5 4. 1.25 . -", values{i(1), i(-2), i(3), i(-4), i(17), 0.5, -0.5, 4.0, 1.25, i(0)}},
		{"5-3 1.2.3 922337203685477580 99999999999999999999", values{i(5), 1.2, i(922337203685477580), 1e20}},
		{"1 0 0 RG 1 0 R", values{i(1), i(0), i(0), op("RG"), i(1), i(0), op("R")}},
		{"12Tj 0g", values{i(12), op("Tj"), i(0), op("g")}},
		{`(a\(b\)(c)\\ \n\r\t\b\f\101\1015\8\q)`, values{str("a(b)(c)\\ \n\r\t\b\fAA58q")}},
		{"(a\\\nb\\\r\nc\r\nd\re)", values{str("abc\nd\ne")}},
		{"(open (never) closed", values{str("open (never) closed")}},
		{"<48 65\n6c6> <> <4", values{str("Hel`"), str(""), str("@")}},
		{"[1 [/a (b)] <</C 2/D null>>]TJ", values{object.Array{i(1), object.Array{name("a"), str("b")}, object.Dict{"C": i(2)}}, op("TJ")}},
		{"<</a/b/c>> T*", values{object.Dict{"a": name("b")}, op("T*")}},
		{"<</a [1 2>> (x)'", values{object.Dict{"a": object.Array{i(1), i(2)}}, str("x"), op("'")}},
		{"true false null q% comment )\nQ", values{true, false, nil, op("q"), op("Q")}},
		{"] >> } { ) > BT", values{op("BT")}},
		{"/Span <</MCID 0>>BDC", values{name("Span"), object.Dict{"MCID": i(0)}, op("BDC")}},
	} {
		if got := tokens(c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q\n got %#v\nwant %#v", c.in, got, c.want)
		}
	}
}

func TestInlineImages(t *testing.T) {
	file, err := open(read(t, "reportlab.pdf"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in, data string
		dict     object.Dict
	}{
		{
			"q BI /W 4 /H 2 /BPC 8 /CS /G ID ab EI cdEI Q", "ab EI cd",
			object.Dict{"Width": int64(4), "Height": int64(2), "BitsPerComponent": int64(8), "ColorSpace": object.Name("DeviceGray")},
		},
		{
			"q BI /W 1 /H 1 /F [/AHx] ID 61 62> EI Q", "ab",
			object.Dict{"Width": int64(1), "Height": int64(1), "Filter": object.Array{object.Name("ASCIIHexDecode")}},
		},
		{
			"q BI /F /RL ID \x06a EI \x01b\x80\nEI\nQ", "a EI \x01b",
			object.Dict{"Filter": object.Name("RunLengthDecode")},
		},
		{"q BI /L 3 ID EI EI Q", "EI ", object.Dict{"Length": int64(3)}},
	} {
		got := tokens(c.in)
		if len(got) < 3 {
			t.Fatalf("%q: %v", c.in, got)
		}
		image, ok := got[1].(*object.Stream)
		if !ok || !reflect.DeepEqual(image.Dict, c.dict) {
			t.Errorf("%q: %#v", c.in, got[1])
			continue
		}
		if data, _, err := file.Data(image); err != nil || string(data) != c.data {
			t.Errorf("%q: data %q, %v", c.in, data, err)
		}
		if want := []object.Value{object.Operator("EI"), object.Operator("Q")}; !reflect.DeepEqual(got[2:], want) {
			t.Errorf("%q: then %v", c.in, got[2:])
		}
	}
}

// What is nested without end costs no more than its bytes, and the lexer goes on behind it.
func TestLexerDepth(t *testing.T) {
	for _, open := range []string{"[", "<<", "<</a", "[<</a", "("} {
		got := tokens(strings.Repeat(open, 200_000))
		if depth := strings.Count(fmt.Sprint(got), "["); open != "(" && depth > 300 {
			t.Errorf("%q: %d levels", open, depth)
		}
	}
	if got := tokens("q " + strings.Repeat("[", 99) + strings.Repeat("]", 99) + " Q"); got[len(got)-1] != object.Operator("Q") {
		t.Errorf("then %v", got[len(got)-1])
	}
}

func FuzzLexer(f *testing.F) {
	f.Add([]byte("q BI /W 4 /H 2 /BPC 8 /CS /G ID ab EI cdEI Q [(a)-250<41>]TJ /F1 12 Tf"))
	f.Add([]byte("BI /W 4 ID"))
	f.Add([]byte("<</A[1 0 R(\\101\\("))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := object.NewLexer(data)
		// Each value takes a byte at least, but for the EI that follows an image.
		for n := 0; ; n++ {
			v, ok := l.Next()
			if !ok {
				break
			}
			if n > len(data)+1 {
				t.Fatalf("the lexer does not advance")
			}
			if s, ok := v.(object.String); ok && len(s) > len(data) {
				t.Fatalf("%#v", v)
			}
		}
	})
}

// What is nested too deep is read once, not once for each level, and neither is what
// follows many brackets that are dropped.
func TestLexerIsLinear(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"arrays":       strings.Repeat("[", n),
		"dictionaries": strings.Repeat("<</A ", n),
		"both":         strings.Repeat("[<<", n),
		"stray":        strings.Repeat("[", 100) + strings.Repeat(")", n),
		"mixed ends":   strings.Repeat("[", n) + strings.Repeat(">>", n),
	} {
		file := "%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Type/Page>>endobj 3 0 obj" + text + " endobj 4 0 obj(four)endobj trailer<</Root 1 0 R>>"
		f, err := open([]byte(file), "")
		if err != nil {
			t.Fatal(name, err)
		}
		// A lexer that goes back to the first bracket needs minutes for each of them.
		f.Resolve(object.Ref{Num: 3})
		if got := f.Text(object.Ref{Num: 4}); got != "four" {
			t.Errorf("%s: %q follows", name, got)
		}
	}
}

// A long string of content is not copied.
func TestLongStrings(t *testing.T) {
	content := []byte("(" + strings.Repeat("text ", 1<<20) + "()) Tj")
	if n := testing.AllocsPerRun(1, func() {
		l := object.NewLexer(content)
		if v, _ := l.Next(); len(v.(object.String)) != 5<<20+2 {
			t.Errorf("%d bytes", len(v.(object.String)))
		}
	}); n > 5 {
		t.Errorf("%v allocations", n)
	}
}
