// Package gocache is a build cache for the go command in a sandbox without layers: it finds
// what the cache of the machine has, which the command cannot change, and keeps what is new
// in the workspace's own. The go command starts it by the variable GOCACHEPROG and speaks the
// protocol of cmd/go/internal/cacheprog with it, from Go 1.24 on; older ones ignore the
// variable, and use the workspace's own cache alone. It knows nothing of sandboxes: what it
// may read and write is up to that of the command that it runs in.
package gocache

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Argument is the first argument of the program when it is to serve the go command. The
// next ones are the directory to write to and the one to read.
const Argument = "__gocache"

// Value returns the value of GOCACHEPROG; ok is false where the go command could not read
// it as three words.
func Value(program, own, machine string) (value string, ok bool) {
	words := []string{program, Argument, own, machine}
	for i, word := range words {
		quote := `"`
		if strings.Contains(word, quote) {
			quote = "'"
		}
		if words[i] = quote + word + quote; strings.Contains(word, quote) {
			return "", false
		}
	}
	return strings.Join(words, " "), true
}

// request and response are the messages of the protocol.
type request struct {
	ID       int64
	Command  string
	ActionID []byte
	OutputID []byte
	BodySize int64
}

type response struct {
	ID            int64
	Err           string     `json:",omitempty"`
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

// Serve answers the go command until that ends, and returns the exit status. What an error
// keeps from being found is missing; one of writing is the answer to the request.
func Serve(own, machine string, in io.Reader, out io.Writer) (status int) {
	c := openCaches(own, machine)
	defer c.close()
	if err := c.serve(bufio.NewReader(in), json.NewEncoder(out)); err != nil && !errors.Is(err, io.EOF) {
		return 1 // the go command says that its program has ended
	}
	return 0
}

func (c *caches) serve(in *bufio.Reader, out *json.Encoder) error {
	if err := out.Encode(response{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	for {
		line, err := readLine(in)
		if err != nil {
			return err
		}
		if len(line) <= 1 { // between a body and the next request
			continue
		}
		var q request
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		r := response{ID: q.ID}
		switch q.Command {
		case "get":
			c.get(q, &r)
		case "put":
			err := withBody(in, q.BodySize, func(body io.Reader) {
				if err := c.put(q, &r, body); err != nil {
					r.Err = err.Error()
				}
			})
			if err != nil {
				return err
			}
		case "close":
			c.trim(time.Now())
			return out.Encode(r)
		default:
			r.Err = fmt.Sprintf("there is no command %q", q.Command)
		}
		if err := out.Encode(r); err != nil {
			return err
		}
	}
}

// maxLine limits the length of a request without its body.
const maxLine = 64 << 10

func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLine {
			return nil, errors.New("a request is too long")
		}
	}
}

// withBody calls f with the bytes of a body, which follows its request, unless it is empty,
// as a JSON string in base64: there is nothing to escape.
func withBody(in *bufio.Reader, size int64, f func(body io.Reader)) error {
	if size <= 0 {
		f(strings.NewReader(""))
		return nil
	}
	if space, err := in.ReadBytes('"'); err != nil || len(bytes.TrimSpace(space)) != 1 {
		return cmp.Or(err, errNoBody)
	}
	text := io.LimitReader(in, (size+2)/3*4)
	f(base64.NewDecoder(base64.StdEncoding, text))
	if _, err := io.Copy(io.Discard, text); err != nil { // what f did not read
		return err
	}
	if b, err := in.ReadByte(); err != nil || b != '"' {
		return cmp.Or(err, errNoBody)
	}
	return nil
}

var errNoBody = errors.New("a body is not of the size that its request says")
