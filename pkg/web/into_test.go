package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// into fetches an address with a body that is written elsewhere.
func into(t *testing.T, most int64, handler http.HandlerFunc) (string, *Response, error) {
	t.Helper()
	s := httptest.NewServer(handler)
	defer s.Close()
	var b bytes.Buffer
	r, err := New(Options{AllowPrivate: true}).Get(t.Context(), Request{URL: At(s.URL), MaxBytes: most, Into: func() (io.Writer, error) {
		b.Reset()
		return &b, nil
	}})
	return b.String(), r, err
}

func TestInto(t *testing.T) {
	long := strings.Repeat("0123456789", 5000)
	got, r, err := into(t, 1<<20, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, long)
		_ = z.Close()
	})
	if err != nil || got != long || string(r.Body) != long[:headBytes] || r.Size != int64(len(long)) || r.Wire >= r.Size {
		t.Errorf("%d bytes, %+v, %v", len(got), r, err)
	}
	got, r, err = into(t, 1<<20, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "not here", http.StatusNotFound) })
	if err != nil || got != "" || string(r.Body) != "not here\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, declared := range []bool{true, false} {
		_, _, err = into(t, 1000, func(w http.ResponseWriter, _ *http.Request) {
			if declared {
				w.Header().Set("Content-Length", strconv.Itoa(len(long)))
			}
			_, _ = io.WriteString(w, long)
		})
		if !fault.Is(err, fault.TooLarge) {
			t.Errorf("declared %v: %v", declared, err)
		}
	}
	tries := 0
	got, _, err = into(t, 1<<20, func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries == 1 {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "lost")
			return
		}
		_, _ = io.WriteString(w, "whole")
	})
	if err != nil || got != "whole" || tries != 2 {
		t.Errorf("%q after %d tries, %v", got, tries, err)
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, fault.System(errFull, "disk") }

func TestIntoFull(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = io.WriteString(w, "some bytes")
	}))
	defer s.Close()
	_, err := New(Options{AllowPrivate: true}).Get(t.Context(), Request{URL: At(s.URL), Into: func() (io.Writer, error) { return full{}, nil }})
	if !errors.Is(err, errFull) || asked != 1 {
		t.Errorf("%v after %d tries", err, asked)
	}
}
