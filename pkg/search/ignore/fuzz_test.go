package ignore

import "testing"

func FuzzParse(f *testing.F) {
	f.Add([]byte("*.o\n!/a/**/[b-d]\\ \r\n\xef\xbb\xbf#\n**"), "a/b/c", true)
	f.Fuzz(func(t *testing.T, content []byte, rel string, dir bool) {
		r := Parse(content)
		if r == nil || rel == "" {
			return
		}
		v := r.Match(rel, dir)
		s := New(nil, "").Enter(0, Directory{Git: r})
		if got := s.Match(rel, dir); got != (v == Ignored) {
			t.Fatalf("%v, but %v alone", got, v)
		}
	})
}
