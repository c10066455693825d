package officecrypt

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
)

// maxSpins bounds what checking one password costs, at a second or so. Office
// writes 100,000.
const maxSpins = 2_000_000

// Keys of blocks, which tell the hashes of one password apart (MS-OFFCRYPTO
// 2.3.4.13).
var (
	verifierInputKey = [8]byte{0xFE, 0xA7, 0xD2, 0x76, 0x3B, 0x4B, 0x9E, 0x79}
	verifierHashKey  = [8]byte{0xD7, 0xAA, 0x0F, 0x6D, 0x30, 0x61, 0x34, 0x4E}
	packageKeyKey    = [8]byte{0x14, 0x6E, 0x0B, 0xE7, 0xAB, 0xAC, 0xD0, 0xD6}
)

// agileParams is the element keyData, or encryptedKey with what only that has
// (MS-OFFCRYPTO 2.3.4.10).
type agileParams struct {
	digest
	salt    []byte
	keySize int // in bytes

	spins        uint32
	input, value []byte // the encrypted verifier and its encrypted hash
	key          []byte // the encrypted key of the package
}

// agile returns the cipher of agile encryption (MS-OFFCRYPTO 2.3.4.10).
func agile(info []byte, password string) (segments, error) {
	data, keys, err := parseAgile(info)
	if err != nil {
		return nil, err
	}
	for _, p := range passwords(password) {
		key, err := keys.unlock(p)
		if err != nil {
			return nil, err
		}
		if key == nil {
			continue
		}
		if len(key) < data.keySize {
			return nil, damaged("encryptedKeyValue")
		}
		block, err := aes.NewCipher(key[:data.keySize])
		if err != nil {
			return nil, err
		}
		return chained{block, data}, nil
	}
	return nil, refused(password)
}

// unlock returns the package's key, or nil if the password is wrong.
func (a *agileParams) unlock(password string) ([]byte, error) {
	spun := a.spin(a.salt, password, a.spins)
	open := func(what [8]byte, encrypted []byte) ([]byte, error) {
		block, err := aes.NewCipher(fit(a.of(spun, what[:]), a.keySize))
		if err != nil {
			return nil, err
		}
		out := make([]byte, len(encrypted))
		cipher.NewCBCDecrypter(block, fit(bytes.Clone(a.salt), aes.BlockSize)).CryptBlocks(out, encrypted)
		return out, nil
	}
	input, err := open(verifierInputKey, a.input)
	if err != nil {
		return nil, err
	}
	value, err := open(verifierHashKey, a.value)
	if err != nil {
		return nil, err
	}
	if len(value) < a.Size() || !bytes.Equal(a.of(input), value[:a.Size()]) {
		return nil, nil
	}
	return open(packageKeyKey, a.key)
}

// chained decrypts with AES in CBC mode, each segment with its own vector.
type chained struct {
	block cipher.Block
	data  *agileParams
}

func (c chained) decrypt(segment int64, data []byte) {
	number := binary.LittleEndian.AppendUint32(nil, uint32(segment))
	vector := fit(c.data.of(c.data.salt, number), aes.BlockSize)
	cipher.NewCBCDecrypter(c.block, vector).CryptBlocks(data, data)
}

// parseAgile reads the XML that describes agile encryption, of which only the
// first password counts.
func parseAgile(info []byte) (data, keys *agileParams, err error) {
	d := xml.NewDecoder(bytes.NewReader(info))
	for data == nil || keys == nil {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && data != nil:
			return nil, nil, unsupported("a certificate instead of a password")
		case err != nil:
			return nil, nil, damaged(infoStream)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch {
		case start.Name.Local == "keyData":
			data, err = agileElement(start.Attr)
		case start.Name.Local == "encryptedKey" && attribute(start.Attr, "spinCount") != "":
			keys, err = agileElement(start.Attr)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if len(keys.input) == 0 || len(keys.value) == 0 || len(keys.key) == 0 {
		return nil, nil, damaged("encryptedKey")
	}
	return data, keys, nil
}

// agileElement decodes the attributes of keyData or encryptedKey.
func agileElement(attrs []xml.Attr) (*agileParams, error) {
	a := &agileParams{}
	var ok bool
	if a.digest, ok = digestByName(attribute(attrs, "hashAlgorithm")); !ok {
		return nil, unsupported(attribute(attrs, "hashAlgorithm"))
	}
	for _, want := range []struct{ name, value string }{{"cipherAlgorithm", "AES"}, {"cipherChaining", "ChainingModeCBC"}} {
		if got := attribute(attrs, want.name); got != want.value {
			return nil, unsupported(got)
		}
	}
	switch attribute(attrs, "keyBits") {
	case "128":
		a.keySize = 16
	case "192":
		a.keySize = 24
	case "256":
		a.keySize = 32
	default:
		return nil, damaged("keyBits")
	}
	if spins := attribute(attrs, "spinCount"); spins != "" {
		n, err := strconv.ParseUint(spins, 10, 32)
		if err != nil {
			return nil, damaged("spinCount")
		}
		if n > maxSpins {
			return nil, unsupported("spinCount " + spins)
		}
		a.spins = uint32(n)
	}
	for _, field := range []struct {
		name   string
		to     *[]byte
		blocks bool // a multiple of the cipher's blocks
	}{
		{"saltValue", &a.salt, false}, {"encryptedVerifierHashInput", &a.input, true},
		{"encryptedVerifierHashValue", &a.value, true}, {"encryptedKeyValue", &a.key, true},
	} {
		value, err := base64.StdEncoding.DecodeString(attribute(attrs, field.name))
		if err != nil || field.blocks && len(value)%aes.BlockSize != 0 {
			return nil, damaged(field.name)
		}
		*field.to = value
	}
	return a, nil
}

func attribute(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
