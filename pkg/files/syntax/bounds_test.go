package syntax

import (
	"strings"
	"testing"
)

func TestBounds(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	long := func(n int) string { return `"` + strings.Repeat("x", n-2) + `"` }
	tests := []struct {
		name    string
		text    string
		checked bool
	}{
		{"4 MiB", long(4 << 20), true},
		{"over 4 MiB", long(4<<20 + 1), false},
		{"1000 brackets deep", nested(1000), true},
		{"over 1000 brackets deep", nested(1001), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if v := Check("JSON", tt.text); v.Checked != tt.checked {
				t.Errorf("checked %v", v.Checked)
			}
		})
	}
}
