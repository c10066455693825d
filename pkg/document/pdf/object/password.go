package object

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
)

// handler holds the parameters of the standard security handler: 7.6.4.
type handler struct {
	version, revision int64
	length            int // of the key in bytes, up to revision 4
	owner, user       []byte
	ownerKey, userKey []byte // of revisions 5 and 6
	permissions       uint32
	metadata          bool
	id                []byte
}

func (f *File) handler(dict Dict) handler {
	text := func(key Name) []byte {
		s, _ := f.Resolve(dict[key]).(String)
		return s
	}
	h := handler{owner: text("O"), user: text("U"), ownerKey: text("OE"), userKey: text("UE"), metadata: true}
	h.version, _ = f.Int(dict["V"])
	h.revision, _ = f.Int(dict["R"])
	permissions, _ := f.Int(dict["P"])
	h.permissions = uint32(permissions)
	if encrypted, ok := f.Bool(dict["EncryptMetadata"]); ok {
		h.metadata = encrypted
	}
	h.length = 5
	switch bits, ok := f.Int(dict["Length"]); {
	case h.version == 4:
		h.length = 16
	case h.version > 1 && ok && bits >= 40 && bits <= 128:
		h.length = int(bits / 8)
	}
	if id := f.Array(f.trailer["ID"]); len(id) > 0 {
		first, _ := f.Resolve(id[0]).(String)
		h.id = first
	}
	return h
}

// open returns the key of the file, nil if neither the password nor none opens it.
func (h *handler) open(password string) []byte {
	tries := []string{password}
	if latin, ok := toLatin(password); ok && latin != password {
		tries = append(tries, latin)
	}
	for _, try := range append(tries, "") {
		key := h.openOld([]byte(try))
		if h.revision >= 5 {
			key = h.openNew([]byte(try[:min(len(try), 127)]))
		}
		if key != nil {
			return key
		}
	}
	return nil
}

// toLatin returns a password as older files encode it; false if they cannot.
func toLatin(s string) (string, bool) {
	var b []byte
	for _, r := range s {
		if r > 0xff {
			return "", false
		}
		b = append(b, byte(r))
	}
	return string(b), true
}

// padding completes passwords: algorithm 2, step a.
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08" +
	"\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

func pad(password []byte) []byte {
	return append(append([]byte{}, password...), padding...)[:32]
}

// openOld opens a file of revisions 2 to 4: algorithms 6 and 7.
func (h *handler) openOld(password []byte) []byte {
	if len(h.owner) < 32 || len(h.user) < 32 || h.revision >= 5 {
		return nil
	}
	if key := h.userOpens(pad(password)); key != nil {
		return key
	}
	sum := md5.Sum(pad(password))
	user := append([]byte{}, h.owner[:32]...)
	if h.revision < 3 {
		cryptRC4(sum[:h.length], user, 0)
		return h.userOpens(user)
	}
	for range 50 {
		sum = md5.Sum(sum[:h.length])
	}
	for i := 19; i >= 0; i-- {
		cryptRC4(sum[:h.length], user, byte(i))
	}
	return h.userOpens(user)
}

// userOpens returns the key that a padded password leads to, nil if it is wrong: algorithms
// 2, 4 and 5.
func (h *handler) userOpens(padded []byte) []byte {
	in := append(append([]byte{}, padded...), h.owner[:32]...)
	in = append(append(in, le32(h.permissions)...), h.id...)
	if h.revision >= 4 && !h.metadata {
		in = append(in, 0xff, 0xff, 0xff, 0xff)
	}
	sum := md5.Sum(in)
	if h.revision < 3 {
		check := []byte(padding)
		cryptRC4(sum[:h.length], check, 0)
		return keyIf(subtle.ConstantTimeCompare(check, h.user[:32]) == 1, sum[:h.length])
	}
	for range 50 {
		sum = md5.Sum(sum[:h.length])
	}
	digest := md5.Sum(append([]byte(padding), h.id...))
	check := digest[:]
	for i := range 20 {
		cryptRC4(sum[:h.length], check, byte(i))
	}
	return keyIf(subtle.ConstantTimeCompare(check, h.user[:16]) == 1, sum[:h.length])
}

func keyIf(ok bool, key []byte) []byte {
	if !ok {
		return nil
	}
	return append([]byte{}, key...)
}

// cryptRC4 encrypts or decrypts data in place, with each byte of the key changed by x.
func cryptRC4(key, data []byte, x byte) {
	changed := make([]byte, len(key))
	for i := range key {
		changed[i] = key[i] ^ x
	}
	if c, err := rc4.NewCipher(changed); err == nil {
		c.XORKeyStream(data, data)
	}
}

// openNew opens a file of revisions 5 and 6: algorithm 2.A.
func (h *handler) openNew(password []byte) []byte {
	if len(h.owner) < 48 || len(h.user) < 48 {
		return nil
	}
	user := h.user[:48]
	switch {
	case bytes.Equal(h.hash(password, h.owner[32:40], user), h.owner[:32]):
		return unwrap(h.hash(password, h.owner[40:48], user), h.ownerKey)
	case bytes.Equal(h.hash(password, user[32:40], nil), user[:32]):
		return unwrap(h.hash(password, user[40:48], nil), h.userKey)
	}
	return nil
}

// unwrap decrypts the key of the file.
func unwrap(key, wrapped []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil || len(wrapped) < 32 {
		return nil
	}
	out := make([]byte, 32)
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(out, wrapped[:32])
	return out
}

// hash returns the hash of a password: algorithm 2.B, and SHA-256 alone in revision 5.
func (h *handler) hash(password, salt, user []byte) []byte {
	sum := sha256.Sum256(bytes.Join([][]byte{password, salt, user}, nil))
	k := sum[:]
	if h.revision < 6 {
		return k
	}
	for round, last := 0, byte(0); round < 64 || int(last) > round-32; round++ {
		e := bytes.Repeat(bytes.Join([][]byte{password, k, user}, nil), 64)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		last = e[len(e)-1]
		remainder := 0
		for _, c := range e[:16] {
			remainder += int(c)
		}
		switch remainder % 3 {
		case 0:
			s := sha256.Sum256(e)
			k = s[:]
		case 1:
			s := sha512.Sum384(e)
			k = s[:]
		default:
			s := sha512.Sum512(e)
			k = s[:]
		}
	}
	return k[:32]
}
