package archive

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/charset"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// inZIP are the members of a ZIP archive.
type inZIP struct {
	files []*zip.File
	name  func(*zip.File) string
}

func openZIP(file io.ReaderAt, size int64) (*inZIP, error) {
	z, err := zipped.Open(file, size)
	if err != nil {
		return nil, err
	}
	return &inZIP{z.File, namesOf(z.File)}, nil
}

// namesOf returns the decoder of names: the specification knows UTF-8 and code page 437,
// but many programs write the encoding of their system.
func namesOf(files []*zip.File) func(*zip.File) string {
	const sample = 16 << 10
	var odd strings.Builder
	for _, f := range files {
		if !utf8.ValidString(f.Name) && odd.Len() < sample {
			odd.WriteString(f.Name + "\n")
		}
	}
	var enc encoding.Encoding = charmap.CodePage437
	if guesses := charset.GuessDOS([]byte(odd.String())); len(guesses) > 0 {
		switch guesses[0] {
		case "ibm850":
			enc = charmap.CodePage850
		case "ibm852":
			enc = charmap.CodePage852
		case "ibm855":
			enc = charmap.CodePage855
		default:
			if _, known := text.WHATWG(guesses[0]); known != nil {
				enc = known
			}
		}
	}
	return func(f *zip.File) string {
		name := f.Name
		if !utf8.ValidString(name) {
			if decoded, err := enc.NewDecoder().String(name); err == nil {
				name = decoded
			}
		}
		return strings.ReplaceAll(name, `\`, "/") // as some programs on Windows write
	}
}

func (z *inZIP) each(ctx context.Context, yield func(Entry, func() (io.ReadCloser, error)) bool) error {
	links := 1 << 20 // how many bytes may still be read for the targets of links
	for _, f := range z.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		const encrypted = 1
		e := Entry{
			Name: z.name(f), Bytes: int64(min(f.UncompressedSize64, 1<<62)), Modified: f.Modified, Mode: f.Mode(),
			Encrypted: f.Flags&encrypted != 0,
		}
		if e.Mode&fs.ModeSymlink != 0 {
			if e.Link = "?"; links > 0 {
				e.Link = linkIn(f, e)
				links -= len(e.Link) + 64
			}
		}
		if !yield(e, func() (io.ReadCloser, error) { return openIn(f, e) }) {
			return nil
		}
	}
	return nil
}

// linkIn returns the target of a link, which is its content.
func linkIn(f *zip.File, e Entry) string {
	const longest = 4 << 10
	r, err := openIn(f, e)
	if err != nil {
		return "?"
	}
	defer r.Close()
	to, err := io.ReadAll(io.LimitReader(r, longest))
	if err != nil || len(to) == 0 {
		return "?"
	}
	return string(to)
}

// openIn opens a member.
func openIn(f *zip.File, e Entry) (io.ReadCloser, error) {
	if e.Encrypted {
		return nil, fault.New(fault.EncryptedDocument, fault.T("%s is encrypted in the archive", e.Name)).
			WithHint(fault.T("unpack it with a program that takes the password, such as 7z"))
	}
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, fault.New(fault.UnsupportedContent, fault.T("%s is compressed with method %d, which cannot be read", e.Name, f.Method)).
			WithHint(fault.T("unpack it with another program, such as 7z"))
	}
	if err != nil {
		return nil, damaged(err)
	}
	return r, nil
}
