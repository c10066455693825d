package odf

import (
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"hash"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// maxIterations limits the iterations that derive a key. LibreOffice takes 100,000; more
// than the limit would take seconds.
const maxIterations = 2_000_000

// lockedPart is a part that is encrypted (OpenDocument part 2, 3.4), as the manifest
// describes it.
type lockedPart struct {
	name                  string
	size                  int64
	algorithm, derivation string // the last words of their URIs
	start                 string
	checksumType          string
	iv, salt, checksum    []byte
	iterations, keySize   int
}

// keys keeps the derived key: parts often share their salt.
type keys struct {
	password string
	salt     string
	key      []byte
}

// readManifest reads what is encrypted, and returns the type of the document.
func (c *container) readManifest() (mime string) {
	data, err := c.zip.Read("META-INF/manifest.xml")
	if err != nil && len(data) == 0 {
		return "" // damaged packages lack it
	}
	s := xmlscan.New(bytes.NewReader(data))
	var entry lockedPart
	for k := s.Next(); k != xmlscan.EOF; k = s.Next() {
		if k != xmlscan.Start || len(c.locked) >= zipped.PackageEntries {
			continue
		}
		switch s.Name() {
		case "manifest:file-entry":
			entry = lockedPart{name: s.String("full-path"), size: -1}
			if n, ok := s.Int("size"); ok {
				entry.size = int64(n)
			}
			if entry.name == "/" {
				mime = s.String("media-type")
			}
		case "manifest:encryption-data":
			entry.checksumType = lastWord(s.String("checksum-type"))
			entry.checksum = decoded(s.String("checksum"))
			entry.keySize, entry.iterations = 16, 1024
			c.locked = append(c.locked, entry)
		case "manifest:algorithm", "manifest:key-derivation", "manifest:start-key-generation", "manifest:encrypted-key":
			if n := len(c.locked); n > 0 {
				c.locked[n-1].describe(s)
			}
		}
	}
	sort.SliceStable(c.locked, func(i, j int) bool { return c.locked[i].name < c.locked[j].name })
	return mime
}

func (l *lockedPart) describe(s *xmlscan.Scanner) {
	switch s.Name() {
	case "manifest:algorithm":
		l.algorithm = lastWord(s.String("algorithm-name"))
		l.iv = decoded(s.String("initialisation-vector"))
	case "manifest:key-derivation":
		l.derivation = lastWord(s.String("key-derivation-name"))
		l.salt = decoded(s.String("salt"))
		if n, ok := s.Int("iteration-count"); ok {
			l.iterations = n
		}
		if n, ok := s.Int("key-size"); ok {
			l.keySize = n
		}
	case "manifest:start-key-generation":
		l.start = lastWord(s.String("start-key-generation-name"))
	case "manifest:encrypted-key":
		l.derivation = "openpgp"
	}
}

// lastWord returns the name of an algorithm, which may follow a URI.
func lastWord(uri string) string {
	return strings.ToLower(uri[strings.LastIndexAny(uri, "#:")+1:])
}

func decoded(text string) []byte {
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return nil // no key fits then
	}
	return b
}

// lockedAs returns how a part is encrypted; nil if it is not.
func (c *container) lockedAs(part string) *lockedPart {
	i := sort.Search(len(c.locked), func(i int) bool { return c.locked[i].name >= part })
	if i < len(c.locked) && c.locked[i].name == part {
		return &c.locked[i]
	}
	return nil
}

// wrapped reports whether the whole document is one encrypted part, as newer programs do.
func (c *container) wrapped() bool { return c.zip.Has("encrypted-package") }

// unlocked returns the container with a password for its parts. It fails with
// encrypted_document if the password is missing or wrong.
func (c *container) unlocked(password string) (*container, error) {
	if c.flat {
		return c, nil
	}
	if c.wrapped() {
		return nil, foreignCipher("encrypted-package")
	}
	l := c.lockedAs("content.xml")
	if l == nil {
		return c, nil
	}
	if password == "" {
		return nil, fault.New(fault.EncryptedDocument, fault.T("the document is encrypted")).
			WithHint(fault.T("pass its password"))
	}
	open := *c
	open.key = &keys{password: password}
	_, err := open.decrypt(l)
	return &open, err
}

func foreignCipher(name string) error {
	return fault.New(fault.EncryptedDocument, fault.T("the document is encrypted in a way that is not read (%s)", name)).
		WithHint(fault.T("open it in LibreOffice and save it without a password"))
}

func wrongPassword() error {
	return fault.New(fault.EncryptedDocument, fault.T("the password is wrong")).
		WithHint(fault.T("pass the right password"))
}

// decrypt returns the content of an encrypted part: packed, then encrypted.
func (c *container) decrypt(l *lockedPart) ([]byte, error) {
	if c.key == nil {
		return nil, wrongPassword()
	}
	if l.algorithm != "aes256-cbc" && l.algorithm != "aes192-cbc" && l.algorithm != "aes128-cbc" || l.derivation != "pbkdf2" {
		return nil, foreignCipher(l.algorithm + " " + l.derivation)
	}
	data, err := c.zip.Read(l.name)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 || len(data)%aes.BlockSize != 0 || len(l.iv) != aes.BlockSize {
		return nil, damaged(fault.T("%s has %d encrypted bytes", l.name, len(data)))
	}
	key, err := c.key.derive(l)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, damaged(fault.T("%s", err.Error())).Because(err)
	}
	cipher.NewCBCDecrypter(block, l.iv).CryptBlocks(data, data)
	padding := int(data[len(data)-1]) // as XML Encryption 5.2 has it
	if padding == 0 || padding > aes.BlockSize {
		return nil, wrongPassword()
	}
	data = data[:len(data)-padding]
	if !l.matches(data) {
		return nil, wrongPassword()
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), zipped.HeldBytes))
	if err != nil && len(plain) == 0 && !errors.Is(err, io.EOF) {
		return nil, damaged(fault.T("%s: %s", l.name, err.Error())).Because(err)
	}
	return plain, nil
}

// matches compares the checksum of the packed bytes, or of their first 1024.
func (l *lockedPart) matches(packed []byte) bool {
	if strings.HasSuffix(l.checksumType, "1k") {
		packed = packed[:min(len(packed), 1024)]
	}
	switch l.checksumType {
	case "sha1", "sha1-1k", "sha1/1k":
		sum := sha1.Sum(packed)
		return bytes.Equal(sum[:], l.checksum)
	case "sha256", "sha256-1k":
		sum := sha256.Sum256(packed)
		return bytes.Equal(sum[:], l.checksum)
	}
	return true // there is none
}

func (k *keys) derive(l *lockedPart) ([]byte, error) {
	if l.iterations < 1 || l.iterations > maxIterations || l.keySize != 16 && l.keySize != 24 && l.keySize != 32 {
		return nil, foreignCipher("PBKDF2 " + strconv.Itoa(l.iterations) + "×" + strconv.Itoa(l.keySize))
	}
	id := string(l.salt) + l.start + strconv.Itoa(l.iterations) + "," + strconv.Itoa(l.keySize)
	if k.key != nil && k.salt == id {
		return k.key, nil
	}
	start := sha1.Sum([]byte(k.password))
	secret := string(start[:])
	if l.start == "sha256" {
		start := sha256.Sum256([]byte(k.password))
		secret = string(start[:])
	}
	key, err := pbkdf2.Key(func() hash.Hash { return sha1.New() }, secret, l.salt, l.iterations, l.keySize)
	if err != nil {
		return nil, damaged(fault.T("%s", err.Error())).Because(err)
	}
	k.salt, k.key = id, key
	return key, nil
}
