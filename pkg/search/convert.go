package search

import (
	"io"

	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/search/walk"
)

// Converter returns the text of a document such as a spreadsheet or a PDF, of which head is
// the beginning. ok is false for any other file, which is then searched as it is. Several
// goroutines call it at once, and more than once for a file of which lines are shown.
type Converter func(head []byte, name string, file io.ReaderAt, size int64) (text []byte, ok bool, err error)

// converted searches the text of a document. ok is false if the file is none.
func (s *searcher) converted(r walk.Reader, name string, head []byte, t task) (f found, ok bool, err error) {
	if s.convert == nil || s.converts != nil && !s.converts(name) {
		return found{}, false, nil
	}
	info, err := r.Stat()
	if err != nil {
		return found{}, false, err
	}
	text, ok, err := s.convert(head, name, readerAt{r}, info.Size)
	if !ok || err != nil {
		return found{}, ok, err
	}
	t.explicit = true // it is text
	f, err = s.whole(text, t)
	return f, true, err
}

// isDocument recognizes documents whose text is not in their bytes. It looks at the name
// only where these leave a choice.
func isDocument(head []byte, name string) bool {
	for _, magic := range [...]string{"PK\x03\x04", "%PDF-", "\xd0\xcf\x11\xe0", "{\\rtf"} {
		if len(head) >= len(magic) && string(head[:len(magic)]) == magic {
			k := kind.Of(head[:min(len(head), 8<<10)], name, nil, 0)
			return k.Class == kind.Document && k.MIME != "application/zip"
		}
	}
	return false
}

// readerAt reports the end of a file as other readers do.
type readerAt struct{ walk.Reader }

func (r readerAt) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.Reader.ReadAt(p, at)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}
