package object

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"encoding/binary"

	"github.com/helve-dev/helve/pkg/fault"
)

// crypt decrypts the strings and streams of a file: 7.6.
type crypt struct {
	key      []byte
	strs     method // of strings
	streams  method
	filters  map[Name]method // those that a stream may name
	metadata bool            // it is encrypted too
}

// method is an encryption method.
type method uint8

const (
	identity method = iota
	rc4Method
	aesV2
	aesV3
)

// decrypt prepares what an encrypted file needs. The errors are faults.
func (f *File) decrypt(password string) error {
	claimed := f.trailer["Encrypt"]
	if claimed == nil {
		return nil
	}
	dict := f.Dict(claimed)
	if dict == nil && f.Repair() {
		dict = f.Dict(claimed)
	}
	if dict == nil {
		return nil // lost; what is readable without it is read
	}
	f.cache, f.packs = nil, nil // were read without decrypting
	if handler := f.Name(dict["Filter"]); handler != "Standard" {
		return unsupported(fault.T("the security handler %q", string(handler)))
	}
	h := f.handler(dict)
	c := &crypt{metadata: h.metadata}
	switch {
	case h.version == 1 || h.version == 2:
		c.strs, c.streams = rc4Method, rc4Method
	case h.version == 4 || h.version == 5:
		if !c.readFilters(f, dict) {
			return unsupported(fault.T("an unknown cipher"))
		}
	default:
		return unsupported(fault.T("version %d of the standard security handler", h.version))
	}
	c.key = h.open(password)
	if c.key == nil && dict["EFF"] != nil && c.strs == identity && c.streams == identity {
		return nil // the files that are attached to it are encrypted, and nothing else
	}
	if c.key == nil {
		if password == "" {
			return fault.New(fault.EncryptedDocument, fault.T("the PDF is encrypted and does not open without a password")).
				WithHint(fault.T("call again with password"))
		}
		return fault.New(fault.EncryptedDocument, fault.T("the password does not open the PDF")).
			WithHint(fault.T("call again with another password: the user's or the owner's"))
	}
	f.crypt = c
	return nil
}

func unsupported(what fault.Text) *fault.Error {
	return fault.New(fault.EncryptedDocument, fault.T("the PDF is encrypted with %s, which is not supported", what)).
		WithHint(fault.T("read a copy that was saved without encryption"))
}

// readFilters reads the crypt filters: 7.6.6. It returns false if one that is used by
// default is unknown.
func (c *crypt) readFilters(f *File, dict Dict) bool {
	c.filters = make(map[Name]method)
	known := true
	method := func(name Name) method {
		if name == "" || name == "Identity" {
			return identity
		}
		switch f.Name(f.Dict(f.Dict(dict["CF"])[name])["CFM"]) {
		case "V2":
			return rc4Method
		case "AESV2":
			return aesV2
		case "AESV3":
			return aesV3
		case "None":
			return identity
		}
		known = false
		return identity
	}
	c.strs, c.streams = method(f.Name(dict["StrF"])), method(f.Name(dict["StmF"]))
	usable := known
	for name := range f.Dict(dict["CF"]) {
		c.filters[name] = method(name)
	}
	return usable
}

// strings decrypts the strings in an object.
func (c *crypt) strings(id Ref, v Value) Value {
	switch v := v.(type) {
	case String:
		return String(c.decrypt(c.strs, id, v))
	case Array:
		for i := range v {
			v[i] = c.strings(id, v[i])
		}
	case Dict:
		for key := range v {
			v[key] = c.strings(id, v[key])
		}
	case *Stream:
		c.strings(id, v.Dict)
	}
	return v
}

// stream decrypts the bytes of a stream whose filters are given.
func (c *crypt) stream(f *File, s *Stream, filters []Name, parms []Dict, data []byte) []byte {
	m := c.streams
	if !c.metadata && s.Dict["Type"] == Name("Metadata") {
		m = identity
	}
	for i, filter := range filters {
		if filter == "Crypt" {
			m = c.filters[f.Name(parms[i]["Name"])] // absent: Identity
		}
	}
	return c.decrypt(m, s.id, data)
}

// decrypt decrypts bytes of an object, in place: algorithms 1 and 1.A.
func (c *crypt) decrypt(m method, id Ref, data []byte) []byte {
	switch m {
	case rc4Method:
		if cipher, err := rc4.NewCipher(c.objectKey(id, "")); err == nil {
			cipher.XORKeyStream(data, data)
		}
		return data
	case aesV2:
		return decryptAES(c.objectKey(id, "sAlT"), data)
	case aesV3:
		return decryptAES(c.key, data)
	}
	return data
}

// objectKey returns the key of an object: algorithm 1.
func (c *crypt) objectKey(id Ref, salt string) []byte {
	b := append([]byte{}, c.key...)
	b = append(b, byte(id.Num), byte(id.Num>>8), byte(id.Num>>16), byte(id.Gen), byte(id.Gen>>8))
	sum := md5.Sum(append(b, salt...))
	return sum[:min(len(c.key)+5, 16)]
}

// decryptAES decrypts CBC whose first block is the initialization vector. A block that is
// cut is lost.
func decryptAES(key, data []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil || len(data) < 2*aes.BlockSize {
		return nil
	}
	vector, body := data[:aes.BlockSize], data[aes.BlockSize:]
	body = body[:len(body)/aes.BlockSize*aes.BlockSize]
	cipher.NewCBCDecrypter(block, vector).CryptBlocks(body, body)
	if padding := int(body[len(body)-1]); padding >= 1 && padding <= aes.BlockSize {
		body = body[:len(body)-padding]
	}
	return body
}

// le32 returns a number of four bytes, the low one first.
func le32(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }
