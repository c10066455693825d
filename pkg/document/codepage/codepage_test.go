package codepage

import "testing"

func TestEncoding(t *testing.T) {
	for _, c := range []struct {
		number int
		bytes  string
		want   string
	}{
		{1252, "\xe4\x80", "ä€"}, {1251, "\xcf\xf0", "Пр"}, {932, "\x93\xfa", "日"}, {936, "\xc4\xe3", "你"}, {949, "\xb0\xa1", "가"},
		{950, "\xa7\x41", "你"}, {437, "\x84", "ä"}, {866, "\x8f", "П"}, {10000, "\x8a", "ä"}, {32768, "\x8a", "ä"}, {28605, "\xa4", "€"},
		{874, "\xa1", "ก"}, {0, "\xe4", "ä"}, {99999, "\xe4", "ä"},
	} {
		got, err := Encoding(c.number).NewDecoder().String(c.bytes)
		if err != nil || got != c.want {
			t.Errorf("%d: %q is %q, want %q (%v)", c.number, c.bytes, got, c.want, err)
		}
	}
}
