// Package officecrypt decrypts what Office encrypts with a password (MS-OFFCRYPTO):
// whole packages (.xlsx, .docx, .pptx) inside a compound file, and the streams of
// older formats, of which .xls also has an obfuscation. It breaks nothing: without
// the password there is no content.
package officecrypt

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"hash"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/fault"
)

// defaultPassword encrypts a document that is only write-protected: Office opens it
// without asking (MS-OFFCRYPTO 2.4.2.3).
const defaultPassword = "VelvetSweatshop"

// passwords returns those to try, in order.
func passwords(given string) []string {
	if given == "" {
		return []string{defaultPassword}
	}
	return []string{defaultPassword, given}
}

// refused returns the failure of a document that no password opened.
func refused(given string) error {
	if given == "" {
		return fault.New(fault.EncryptedDocument, fault.T("the document is encrypted")).
			WithHint(fault.T("pass its password as password"))
	}
	return fault.New(fault.EncryptedDocument, fault.T("the password is wrong")).
		WithHint(fault.T("pass the right password as password; upper and lower case differ"))
}

// unsupported returns the failure of a document that is encrypted in a way that
// this package does not know.
func unsupported(how string) error {
	return fault.New(fault.EncryptedDocument, fault.T("the document is encrypted in a way that cannot be read: %s", how)).
		WithHint(fault.T("open it in the program that made it and save it without encryption"))
}

// damaged returns the failure of a document whose description of its encryption is
// incomplete or contradicts itself.
func damaged(what string) error {
	return fault.New(fault.BadDocument, fault.T("the description of the encryption is damaged: %s", what))
}

// A digest makes hashes of joined parts with one algorithm.
type digest struct{ hash.Hash }

// of returns the hash of the parts, one after the other.
func (d digest) of(parts ...[]byte) []byte {
	d.Reset()
	for _, p := range parts {
		d.Write(p)
	}
	return d.Sum(nil)
}

// spin returns the hash of salt and password, hashed again count times with the
// number of the round before it (MS-OFFCRYPTO 2.3.4.7 and 2.3.4.11).
func (d digest) spin(salt []byte, password string, count uint32) []byte {
	h := d.of(salt, utf16le(password))
	var round [4]byte
	for i := range count {
		binary.LittleEndian.PutUint32(round[:], i)
		d.Reset()
		d.Write(round[:])
		d.Write(h)
		h = d.Sum(h[:0])
	}
	return h
}

// digestByName returns an algorithm by the name that Office gives it.
func digestByName(name string) (digest, bool) {
	switch name {
	case "SHA1", "SHA-1":
		return digest{sha1.New()}, true
	case "SHA256", "SHA-256":
		return digest{sha256.New()}, true
	case "SHA384", "SHA-384":
		return digest{sha512.New384()}, true
	case "SHA512", "SHA-512":
		return digest{sha512.New()}, true
	}
	return digest{}, false
}

// fit cuts b to size bytes or fills it up with 0x36.
func fit(b []byte, size int) []byte {
	for len(b) < size {
		b = append(b, 0x36)
	}
	return b[:size]
}

func utf16le(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}
