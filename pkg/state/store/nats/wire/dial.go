package wire

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// Options say how to reach a server.
type Options struct {
	Servers     []string // host:port; they are tried in this order
	TLS         *tls.Config
	RequireTLS  bool // refuse a server that speaks in clear
	User        string
	Password    string
	Token       string
	Credentials *Credentials
}

// Info is what a server says of itself.
type Info struct {
	Version      string `json:"version"`
	JetStream    bool   `json:"jetstream"`
	MaxPayload   int    `json:"max_payload"` // bytes of a message with its headers
	TLSRequired  bool   `json:"tls_required"`
	TLSAvailable bool   `json:"tls_available"`
	Nonce        string `json:"nonce"` // to be signed
}

// AuthError says that a server refused who connects.
type AuthError struct{ Text string }

func (e *AuthError) Error() string { return e.Text }

// ErrClear says that a server does not speak TLS, which was asked for.
var ErrClear = errors.New("the server does not offer TLS")

// Dial connects to the first of the servers that answers. The context bounds all of
// it; the connection outlives it.
func Dial(ctx context.Context, o Options) (*Conn, error) {
	var first error
	for i, server := range o.Servers {
		c, err := dialWithin(ctx, server, len(o.Servers)-i, o)
		if err == nil {
			return c, nil
		}
		err = fmt.Errorf("%s: %w", server, err)
		if _, refused := errors.AsType[*AuthError](err); refused || ctx.Err() != nil {
			return nil, err // the others have the same users
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// dialWithin tries one server, and leaves time for the others.
func dialWithin(ctx context.Context, server string, left int, o Options) (*Conn, error) {
	if deadline, ok := ctx.Deadline(); ok && left > 1 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(left))
		defer cancel()
	}
	nc, err := (&net.Dialer{}).DialContext(ctx, "tcp", server)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = nc.Close() }) // the error is that of what it interrupts
	c, err := greet(ctx, nc, server, o)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = nc.Close() // it is of no use
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	c.start()
	return c, nil
}

// greet says hello: the server begins with INFO, and after CONNECT and PING answers
// PONG or an error.
func greet(ctx context.Context, nc net.Conn, server string, o Options) (*Conn, error) {
	r := bufio.NewReaderSize(nc, maxLine)
	op, err := readOperation(r)
	if err != nil {
		return nil, err
	}
	var info Info
	if op.verb != verbInfo || json.Unmarshal([]byte(op.text), &info) != nil {
		return nil, ErrProtocol
	}
	if o.RequireTLS || info.TLSRequired {
		if !info.TLSRequired && !info.TLSAvailable {
			return nil, ErrClear
		}
		config := &tls.Config{MinVersion: tls.VersionTLS12}
		if o.TLS != nil {
			config = o.TLS.Clone()
		}
		if config.ServerName == "" {
			config.ServerName, _, _ = net.SplitHostPort(server)
		}
		secured := tls.Client(nc, config)
		if err := secured.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		nc, r = secured, bufio.NewReaderSize(secured, maxLine)
	}
	hello, err := hello(info, o)
	if err != nil {
		return nil, err
	}
	if _, err := nc.Write(hello); err != nil {
		return nil, err
	}
	for {
		switch op, err := readOperation(r); {
		case err != nil:
			return nil, err
		case op.verb == verbPong:
			return newConn(nc, r, info), nil
		case op.verb == verbErr && aboutUser(op.text):
			return nil, &AuthError{op.text}
		case op.verb == verbErr:
			return nil, errors.New(strings.ToLower(op.text))
		}
	}
}

// aboutUser reports whether an error of the server is about who connects.
func aboutUser(text string) bool {
	text = strings.ToLower(text)
	return strings.HasPrefix(text, "authorization") || strings.Contains(text, "authentication") || strings.Contains(text, "account")
}

// hello returns what answers a server's INFO.
func hello(info Info, o Options) ([]byte, error) {
	type connect struct {
		Verbose      bool   `json:"verbose"`
		Pedantic     bool   `json:"pedantic"`
		TLS          bool   `json:"tls_required"`
		Name         string `json:"name"`
		Lang         string `json:"lang"`
		Version      string `json:"version"`
		Protocol     int    `json:"protocol"`
		Echo         bool   `json:"echo"`
		Headers      bool   `json:"headers"`
		NoResponders bool   `json:"no_responders"`
		User         string `json:"user,omitempty"`
		Password     string `json:"pass,omitempty"`
		Token        string `json:"auth_token,omitempty"`
		JWT          string `json:"jwt,omitempty"`
		Signature    string `json:"sig,omitempty"`
	}
	c := connect{TLS: o.RequireTLS || info.TLSRequired, Name: "helve", Lang: "helve", Version: "1", Protocol: 1, Echo: true, Headers: true, NoResponders: true,
		User: o.User, Password: o.Password, Token: o.Token}
	if o.Credentials != nil {
		c.JWT, c.Signature = o.Credentials.JWT, o.Credentials.sign(info.Nonce)
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	return append(append([]byte("CONNECT "), text...), "\r\nPING\r\n"...), nil
}
