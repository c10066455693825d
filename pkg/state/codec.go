package state

import (
	"bufio"
	"compress/flate"
	"errors"
	"io"
	"sync"
)

// codec compresses and expands one stream at a time. Its window is small, so that
// it takes less than a megabyte whatever the size of a blob. The zero value is
// ready. DEFLATE (RFC 1951) is not the densest format, but it is in the standard
// library and runs nothing at start-up.
type codec struct {
	mu  sync.Mutex
	out *flate.Writer
	in  io.ReadCloser
}

// compress writes data to w as one DEFLATE stream.
func (c *codec) compress(w io.Writer, data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out == nil {
		out, err := flate.NewWriter(nil, flate.BestSpeed)
		if err != nil {
			return err
		}
		c.out = out
	}
	c.out.Reset(w)
	if _, err := c.out.Write(data); err != nil {
		return err
	}
	return c.out.Close()
}

// expand reads a stream, at most one byte more than a blob may have. Nothing may
// follow the stream.
func (c *codec) expand(r io.Reader) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	in := bufio.NewReader(r) // the decoder reads no byte beyond the stream from it
	if c.in == nil {
		c.in = flate.NewReader(in)
	} else if err := c.in.(flate.Resetter).Reset(in, nil); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(c.in, MaxBlob+1))
	if err != nil {
		return nil, err
	}
	if _, err := in.ReadByte(); err != io.EOF && len(data) <= MaxBlob {
		return nil, errors.Join(errors.New("more follows the compressed bytes"), err)
	}
	return data, nil
}
