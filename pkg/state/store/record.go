package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/schema"
)

// Records decodes the values of all keys with a prefix. decode gets the rest of each key.
func Records[T any](r Reader, prefix string, decode func(id string, data []byte) T) ([]T, error) {
	entries, err := r.List(prefix)
	if err != nil {
		return nil, err
	}
	all := make([]T, len(entries))
	for i, e := range entries {
		all[i] = decode(strings.TrimPrefix(e.Key, prefix), e.Value)
	}
	return all, nil
}

// Decode decodes exactly one JSON value, without members that v does not have.
func Decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows it")
	}
	return nil
}

// DigestKey returns a key that ends with a hash of parts, in which their bounds count.
func DigestKey(prefix string, parts ...string) string {
	text, err := schema.Marshal(parts)
	if err != nil { // texts always have a form in JSON
		panic(err)
	}
	sum := sha256.Sum256(text)
	return prefix + hex.EncodeToString(sum[:16])
}
