package officecrypt

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// workbookBlock is the number of bytes of an .xls that are encrypted with one key.
const workbookBlock = 1024

// Records decrypts the records of an .xls.
type Records interface {
	// Decrypt decrypts the data of one record, all of it, in place. It begins at a
	// position of the workbook stream.
	Decrypt(data []byte, at int64)
}

// NewRecords returns the cipher that the record FILEPASS describes, whose first
// field BIFF8 has alone (MS-XLS 2.4.117). The default password is tried before
// the given one. It fails with encrypted_document without the right password.
func NewRecords(filepass []byte, biff8 bool, password string) (Records, error) {
	if biff8 {
		if len(filepass) < 2 {
			return nil, damaged("FILEPASS")
		}
		kind := binary.LittleEndian.Uint16(filepass)
		filepass = filepass[2:]
		if kind == 1 {
			return newRC4(filepass, password, workbookBlock)
		}
	}
	if len(filepass) < 4 {
		return nil, damaged("FILEPASS")
	}
	for _, p := range passwords(password) {
		b := obfuscationPassword(p)
		if len(b) > 0 && obfuscationVerifier(b) == binary.LittleEndian.Uint16(filepass[2:]) {
			return newObfuscation(b), nil
		}
	}
	return nil, refused(password)
}

// obfuscation is XOR obfuscation, method 1 (MS-OFFCRYPTO 2.3.7.2).
type obfuscation [16]byte

// Decrypt implements [Records].
func (o *obfuscation) Decrypt(data []byte, at int64) {
	at += int64(len(data))
	for i := range data {
		data[i] = bits.RotateLeft8(data[i]^o[(at+int64(i))%16], 3)
	}
}

// obfuscationPassword returns a password in bytes: of each UTF-16 unit the lower
// byte, or the upper one where that is zero. Only the first 15 count.
func obfuscationPassword(password string) []byte {
	units := utf16le(password)
	var b []byte
	for i := 0; i < len(units) && len(b) < 15; i += 2 {
		if units[i] != 0 {
			b = append(b, units[i])
		} else {
			b = append(b, units[i+1])
		}
	}
	return b
}

// obfuscationVerifier returns the check sum of a password (MS-OFFCRYPTO 2.3.7.1).
func obfuscationVerifier(password []byte) uint16 {
	var v uint16
	step := func(b byte) { v = (v>>14&1 | v<<1&0x7FFF) ^ uint16(b) }
	for _, b := range slices.Backward(password) {
		step(b)
	}
	step(byte(len(password)))
	return v ^ 0xCE4B
}

// newObfuscation derives the array that data is combined with from a password of
// 1 to 15 bytes.
func newObfuscation(password []byte) *obfuscation {
	initial := [15]uint16{
		0xE1F0, 0x1D0F, 0xCC9C, 0x84C0, 0x110C, 0x0E10, 0xF1CE, 0x313E, 0x1872, 0xE139, 0xD40F, 0x84F9, 0x280C, 0xA96A, 0x4EC3,
	}
	matrix := [105]uint16{
		0xAEFC, 0x4DD9, 0x9BB2, 0x2745, 0x4E8A, 0x9D14, 0x2A09, 0x7B61, 0xF6C2, 0xFDA5, 0xEB6B, 0xC6F7, 0x9DCF, 0x2BBF, 0x4563,
		0x8AC6, 0x05AD, 0x0B5A, 0x16B4, 0x2D68, 0x5AD0, 0x0375, 0x06EA, 0x0DD4, 0x1BA8, 0x3750, 0x6EA0, 0xDD40, 0xD849, 0xA0B3,
		0x5147, 0xA28E, 0x553D, 0xAA7A, 0x44D5, 0x6F45, 0xDE8A, 0xAD35, 0x4A4B, 0x9496, 0x390D, 0x721A, 0xEB23, 0xC667, 0x9CEF,
		0x29FF, 0x53FE, 0xA7FC, 0x5FD9, 0x47D3, 0x8FA6, 0x0F6D, 0x1EDA, 0x3DB4, 0x7B68, 0xF6D0, 0xB861, 0x60E3, 0xC1C6, 0x93AD,
		0x377B, 0x6EF6, 0xDDEC, 0x45A0, 0x8B40, 0x06A1, 0x0D42, 0x1A84, 0x3508, 0x6A10, 0xAA51, 0x4483, 0x8906, 0x022D, 0x045A,
		0x08B4, 0x1168, 0x76B4, 0xED68, 0xCAF1, 0x85C3, 0x1BA7, 0x374E, 0x6E9C, 0x3730, 0x6E60, 0xDCC0, 0xA9A1, 0x4363, 0x86C6,
		0x1DAD, 0x3331, 0x6662, 0xCCC4, 0x89A9, 0x0373, 0x06E6, 0x0DCC, 0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48C4,
	}
	padding := [15]byte{0xBB, 0xFF, 0xFF, 0xBA, 0xFF, 0xFF, 0xB9, 0x80, 0x00, 0xBE, 0x0F, 0x00, 0xBF, 0x0F, 0x00}

	key := initial[len(password)-1]
	at := len(matrix) - 1
	for _, b := range slices.Backward(password) {
		for bit := range 7 {
			if b<<bit&0x40 != 0 {
				key ^= matrix[at]
			}
			at--
		}
	}
	var o obfuscation
	copy(o[copy(o[:], password):], padding[:])
	for i := range o {
		o[i] = bits.RotateLeft8(o[i]^byte(key>>(i%2*8)), -1)
	}
	return &o
}
