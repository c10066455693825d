package officecrypt

import (
	"bytes"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha1"
	"encoding/binary"
	"slices"
)

// rc4Stream decrypts a stream of .xls, .doc or .ppt, which is encrypted in blocks that
// each have a key of their own (MS-OFFCRYPTO 2.3.5, 2.3.6).
type rc4Stream struct {
	key       func(block uint32) []byte
	blockSize int64

	cipher *rc4.Cipher
	at     int64 // where in the stream the cipher stands
}

// newRC4 returns the cipher that a header describes, from its version on. The
// default password is tried before the given one. It fails with
// encrypted_document without the right password.
func newRC4(header []byte, password string, blockSize int64) (*rc4Stream, error) {
	if len(header) < 4 {
		return nil, damaged("EncryptionHeader")
	}
	major, minor := binary.LittleEndian.Uint16(header), binary.LittleEndian.Uint16(header[2:])
	header = header[4:]
	switch {
	case major == 1 && minor == 1:
		return newRC4MD5(header, password, blockSize)
	case minor == 2 && major >= 2 && major <= 4:
		return newRC4CryptoAPI(header, password, blockSize)
	}
	return nil, unsupported("unknown RC4 header")
}

func newRC4MD5(header []byte, password string, blockSize int64) (*rc4Stream, error) {
	if len(header) < saltSize+verifierSize+md5.Size {
		return nil, damaged("EncryptionHeader")
	}
	salt := header[:saltSize]
	for _, p := range passwords(password) {
		first := md5.Sum(utf16le(p))
		second := md5.Sum(bytes.Repeat(append(first[:5:5], salt...), 16))
		r := &rc4Stream{blockSize: blockSize, key: func(block uint32) []byte {
			key := md5.Sum(binary.LittleEndian.AppendUint32(second[:5:5], block))
			return key[:]
		}}
		plain := slices.Clone(header[saltSize : saltSize+verifierSize+md5.Size])
		r.Decrypt(plain, 0)
		if sum := md5.Sum(plain[:verifierSize]); bytes.Equal(sum[:], plain[verifierSize:]) {
			return r, nil
		}
	}
	return nil, refused(password)
}

func newRC4CryptoAPI(header []byte, password string, blockSize int64) (*rc4Stream, error) {
	if len(header) < 4 {
		return nil, damaged("EncryptionHeader")
	}
	v, ok := parseVerifier(header[4:], sha1.Size) // after the flags
	switch {
	case !ok:
		return nil, damaged("EncryptionHeader")
	case v.keyBits == 0:
		v.keyBits = 40
	case v.keyBits < 40 || v.keyBits > 128 || v.keyBits%8 != 0:
		return nil, damaged("KeySize")
	}
	const algorithmRC4 = 0x6801
	if v.algorithm != algorithmRC4 && v.algorithm != 0 {
		return nil, unsupported("a cipher other than RC4")
	}
	for _, p := range passwords(password) {
		h := sha1.Sum(append(slices.Clone(v.salt), utf16le(p)...))
		r := &rc4Stream{blockSize: blockSize, key: func(block uint32) []byte {
			key := sha1.Sum(binary.LittleEndian.AppendUint32(h[:len(h):len(h)], block))
			if v.keyBits == 40 {
				return append(key[:5:5], make([]byte, 11)...)
			}
			return key[:v.keyBits/8]
		}}
		plain := append(slices.Clone(v.encrypted), v.hash...)
		r.Decrypt(plain, 0)
		if sum := sha1.Sum(plain[:verifierSize]); bytes.Equal(sum[:], plain[verifierSize:]) {
			return r, nil
		}
	}
	return nil, refused(password)
}

// Decrypt decrypts data, which begins at a position of the stream, in place.
func (r *rc4Stream) Decrypt(data []byte, at int64) {
	for len(data) > 0 {
		block := at / r.blockSize
		n := min(int64(len(data)), (block+1)*r.blockSize-at)
		if r.cipher == nil || at < r.at || block != r.at/r.blockSize || r.at%r.blockSize == 0 {
			cipher, err := rc4.NewCipher(r.key(uint32(block)))
			if err != nil {
				panic(err) // a key has 5 to 16 bytes
			}
			r.cipher, r.at = cipher, block*r.blockSize
		}
		if skip := at - r.at; skip > 0 {
			nothing := make([]byte, skip)
			r.cipher.XORKeyStream(nothing, nothing)
		}
		r.cipher.XORKeyStream(data[:n], data[:n])
		data, at = data[n:], at+n
		r.at = at
	}
}
