package text_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/files/text"
)

// A change keeps the encoding and every other byte of a file.
func ExampleDecode() {
	raw := []byte("caf\xe9 cr\xe8me\nth\xe9\n")
	d, err := text.Decode(raw, "iso-8859-1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %q\n", d.Encoding, d.Text)
	changed, err := d.Encode(strings.Replace(d.Text, "thé", "café", 1))
	fmt.Printf("%q %v\n", changed, err)
	// Output:
	// iso-8859-1: "café crème\nthé\n"
	// "caf\xe9 cr\xe8me\ncaf\xe9\n" <nil>
}

func ExampleRead() {
	file := strings.NewReader("one\ntwo\nthree\nfour\n")
	p, err := text.Read(context.Background(), file, file.Size(), text.Request{Offset: 2, Limit: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Encoding, p.EOL, p.TotalLines, p.TruncatedBy, p.NextOffset)
	fmt.Print(p.Windows[0].Numbered())
	// Output:
	// utf-8 lf 4 lines 4
	// 2|two
	// 3|three
}

func ExampleConform() {
	conformed, _ := text.Conform("one\r\ntwo\nthree\r\n", "one\nnew\ntwo\nthree\n", "\n")
	fmt.Printf("%q\n", conformed)
	// Output: "one\r\nnew\r\ntwo\nthree\r\n"
}
