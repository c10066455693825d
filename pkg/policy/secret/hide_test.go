package secret

import "testing"

func TestHide(t *testing.T) {
	for _, c := range []struct{ text, value, want string }{
		{"the key is e2f7a9c4d1, and xe2f7a9c4d1x", "e2f7a9c4d1", "the key is [secret], and x[secret]x"},
		{"12345678 and 123456789", "12345678", "[secret] and [secret]9"},
		{"exact words, an exam: x", "x", "exact words, an exam: x"},
		{"a cat sat: cat", "cat", "a cat sat: cat"},
		{"test the latest test_x?k=test&test9 Étest test", "test", "[secret] the latest test_x?k=[secret]&test9 Étest [secret]"},
		{"abcabca abca", "abca", "abcabca [secret]"},
		{"pass1:pass1", "pass1", "[secret]:[secret]"},
		{"nothing", "", "nothing"},
	} {
		if got := Hide(c.text, c.value); got != c.want {
			t.Errorf("%q without %q: %q, want %q", c.text, c.value, got, c.want)
		}
	}
	if got := Hide("one12345 two12345", "one12345", "two12345"); got != "[secret] [secret]" {
		t.Error(got)
	}
}
