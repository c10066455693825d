package officecrypt

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1"
	"encoding/binary"
	"slices"
)

const (
	standardSpins = 50000
	saltSize      = 16
	verifierSize  = 16
)

// A verifier tells whether a password is right: its hash, both encrypted.
type verifier struct {
	keyBits   uint32
	algorithm uint32 // a Windows ALG_ID
	salt      []byte
	encrypted []byte // verifierSize bytes
	hash      []byte
}

// parseVerifier reads an EncryptionHeader, which its length stands before, and an
// EncryptionVerifier (MS-OFFCRYPTO 2.3.2, 2.3.3).
func parseVerifier(info []byte, hashSize int) (v verifier, ok bool) {
	if len(info) < 4 {
		return v, false
	}
	size := binary.LittleEndian.Uint32(info)
	info = info[4:]
	if size < 20 || uint64(size) > uint64(len(info)) {
		return v, false
	}
	v.algorithm = binary.LittleEndian.Uint32(info[8:])
	v.keyBits = binary.LittleEndian.Uint32(info[16:])
	info = info[size:]
	if len(info) < 4+saltSize+verifierSize+4+hashSize {
		return v, false
	}
	info = info[4:] // the size of the salt, always 16
	v.salt, info = info[:saltSize], info[saltSize:]
	v.encrypted, info = info[:verifierSize], info[verifierSize:]
	v.hash = info[4 : 4+hashSize]
	return v, true
}

// codebook decrypts with AES block by block, the blocks independent of each other.
type codebook struct{ cipher.Block }

func (c codebook) decrypt(_ int64, data []byte) {
	for ; len(data) >= aes.BlockSize; data = data[aes.BlockSize:] {
		c.Decrypt(data, data)
	}
}

// standard returns the cipher of standard encryption (MS-OFFCRYPTO 2.3.4.5).
func standard(info []byte, password string) (segments, error) {
	v, ok := parseVerifier(info, 32)
	if !ok {
		return nil, damaged("EncryptionHeader")
	}
	switch v.keyBits {
	case 128, 192, 256:
	default:
		return nil, unsupported("standard encryption without AES")
	}
	for _, p := range passwords(password) {
		block, err := aes.NewCipher(v.standardKey(p))
		if err != nil {
			return nil, err
		}
		c := codebook{block}
		input, hash := slices.Clone(v.encrypted), slices.Clone(v.hash)
		c.decrypt(0, input)
		c.decrypt(0, hash)
		if sum := sha1.Sum(input); bytes.Equal(sum[:], hash[:len(sum)]) {
			return c, nil
		}
	}
	return nil, refused(password)
}

// standardKey derives the key from a password (MS-OFFCRYPTO 2.3.4.7).
func (v *verifier) standardKey(password string) []byte {
	d := digest{sha1.New()}
	h := d.of(d.spin(v.salt, password, standardSpins), make([]byte, 4))
	key := make([]byte, 0, 2*sha1.Size)
	for _, fill := range []byte{0x36, 0x5C} {
		pad := bytes.Repeat([]byte{fill}, 64)
		for i, b := range h {
			pad[i] ^= b
		}
		key = append(key, d.of(pad)...)
	}
	return key[:v.keyBits/8]
}
