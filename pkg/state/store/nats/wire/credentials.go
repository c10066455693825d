package wire

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
)

// Credentials are what a file of credentials has: a token that the server's operator
// or account has signed, and the key of the user that it is for.
type Credentials struct {
	JWT  string
	seed []byte // of an Ed25519 key, 32 bytes
}

// ParseCredentials reads a file of credentials, as nsc writes it: two blocks between
// lines of dashes, of which the first has the token and the second the seed.
func ParseCredentials(text string) (*Credentials, error) {
	var blocks []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "---") && strings.HasSuffix(line, "---"):
			inside = !inside && strings.Contains(line, "BEGIN")
			if inside {
				blocks = append(blocks, "")
			}
		case inside:
			blocks[len(blocks)-1] += line
		}
	}
	if len(blocks) != 2 || blocks[0] == "" || strings.ContainsAny(blocks[0], "\"\\ ") {
		return nil, errors.New("want a token and a seed, as in a file that nsc has written")
	}
	seed, err := decodeSeed(blocks[1])
	if err != nil {
		return nil, err
	}
	return &Credentials{blocks[0], seed}, nil
}

// sign returns the signature of the server's challenge.
func (c *Credentials) sign(nonce string) string {
	return base64.RawURLEncoding.EncodeToString(ed25519.Sign(ed25519.NewKeyFromSeed(c.seed), []byte(nonce)))
}

// decodeSeed decodes the seed of a user's key: in base32 without padding, two bytes
// that hold the kinds S (seed) and U (user) in five bits each, the seed, and a CRC-16
// of all of it, low byte first. See github.com/nats-io/nkeys.
func decodeSeed(text string) ([]byte, error) {
	raw, ok := decodeBase32(text)
	if !ok || len(raw) != 2+ed25519.SeedSize+2 || !strings.HasPrefix(text, "SU") {
		return nil, errors.New("the seed is not that of a user: want SU and 56 more characters")
	}
	body := raw[:len(raw)-2]
	if crc16(body) != binary.LittleEndian.Uint16(raw[len(raw)-2:]) {
		return nil, errors.New("the seed is damaged: its checksum is wrong")
	}
	return body[2:], nil
}

// decodeBase32 decodes base32 (RFC 4648) without padding. The standard library's package
// would make its tables at each start.
func decodeBase32(text string) (data []byte, ok bool) {
	bits, held := 0, uint32(0)
	for i := range len(text) {
		var value byte
		switch c := text[i]; {
		case 'A' <= c && c <= 'Z':
			value = c - 'A'
		case '2' <= c && c <= '7':
			value = c - '2' + 26
		default:
			return nil, false
		}
		held, bits = held<<5|uint32(value), bits+5
		if bits >= 8 {
			bits -= 8
			data = append(data, byte(held>>bits))
		}
	}
	return data, true
}

// crc16 is CRC-16/XMODEM: polynomial 0x1021, from 0, not reflected.
func crc16(data []byte) uint16 {
	var crc uint16
	for _, b := range data {
		crc ^= uint16(b) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}
