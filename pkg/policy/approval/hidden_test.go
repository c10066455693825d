package approval

import "testing"

// TestHidden has the first and last characters of each range, and their neighbours.
func TestHidden(t *testing.T) {
	for r, want := range map[rune]bool{
		'a': false, ' ': false, '中': false, 0x300: false, 0: true, 0x1f: true, 0x7f: true, 0x9f: true, 0xa0: false, 0xad: true, 0x200b: true, 0x202e: true, 0x2028: true,
		0x2029: true, 0xe000: true, 0x034f: true, 0x034e: false, 0x0350: false, 0x115e: false, 0x115f: true, 0x1160: true, 0x1161: false, 0x3164: true, 0x3163: false,
		0xffa0: true, 0xffa1: false, 0x2800: true, 0x2801: false, 0x180a: false, 0x180b: true, 0x180f: true, 0x1810: false, 0xfdff: false, 0xfe00: true, 0xfe0e: true,
		0xfe0f: false, 0xe0000: true, 0xe0fff: true, 0xdffff: false,
	} {
		if hidden(r) != want {
			t.Errorf("%U: %t", r, !want)
		}
	}
}
