package web

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// headBytes is the number of bytes that the response keeps of a body written elsewhere,
// to see its type by.
const headBytes = 8 << 10

// goesInto reports whether the body of a response is written where the request says.
func (x *exchange) goesInto(r *http.Response) bool {
	return x.request.Into != nil && r.StatusCode >= 200 && r.StatusCode < 300 && r.StatusCode != http.StatusPartialContent
}

// pour writes a body, decompressed, where the request says, and returns its beginning. One
// that has more than so many bytes is a fault, and so is one that ends early.
func (x *exchange) pour(r *http.Response, most int64) (head []byte, n, wire int64, err error) {
	host := x.at.Hostname()
	if r.ContentLength > most && r.Header.Get("Content-Encoding") == "" {
		return nil, 0, 0, tooLong(host, most, r.ContentLength)
	}
	out, err := x.request.Into()
	if err != nil {
		return nil, 0, 0, err
	}
	counted := &counter{r: r.Body, most: most + wireSlack}
	plain, err := decompress(counted, r.Header.Values("Content-Encoding"), host)
	if err != nil {
		return nil, 0, 0, errors.Join(counted.err, err)
	}
	to := &beginning{w: out}
	n, err = io.Copy(to, io.LimitReader(plain, most+1))
	switch {
	case to.err != nil:
		return nil, n, counted.n, to.err
	case n > maxBody && n > bombRatio*counted.n:
		return nil, n, counted.n, decompressionBomb(host, counted.n, most)
	case n > most:
		return nil, n, counted.n, tooLong(host, most, -1)
	case errors.Is(counted.err, errEndless):
		return nil, n, counted.n, endlessBody(host, counted.most)
	case err != nil && counted.err == nil: // the bytes are not in the coding that the header names
		return nil, n, counted.n, cannotDecompress(host, strings.Join(r.Header.Values("Content-Encoding"), ", ")).Because(err)
	}
	return to.head, n, counted.n, err
}

// beginning writes to w, keeps the first bytes, and keeps the error of w.
type beginning struct {
	w    io.Writer
	head []byte
	err  error
}

func (b *beginning) Write(p []byte) (int, error) {
	if room := headBytes - len(b.head); room > 0 {
		b.head = append(b.head, p[:min(room, len(p))]...)
	}
	n, err := b.w.Write(p)
	if err != nil {
		b.err = err
	}
	return n, err
}

// tooLong is the fault of a body that is not kept because of its length, -1 if only a part
// of it came.
func tooLong(host string, most, length int64) *fault.Error {
	message := fault.T("%s sends more than %d bytes", host, most)
	details := map[string]any{"max_bytes": most}
	if length > 0 {
		message = fault.T("%s sends %d bytes; the limit is %d", host, length, most)
		details["bytes"] = length
	}
	return fault.New(fault.TooLarge, message).WithDetails(details).
		WithHint(fault.T("get it with a program such as curl, or look for a smaller file"))
}
