package upstream

import (
	"slices"
	"strconv"
	"strings"
)

// maxCalled is the longest name of a tool that every provider takes.
const maxCalled = 64

// Assign gives the tools the names that helve has for them: that of the server before
// their own, in the characters that every provider takes. A name that is taken already
// gets a number; those tools are returned. One that had a name keeps it if taken does not
// have it.
func (s *Server) Assign(taken []string, before []Tool) (numbered []string) {
	used := map[string]bool{}
	for _, name := range taken {
		used[name] = true
	}
	for i := range s.Tools {
		t := &s.Tools[i]
		t.As = ""
		at := slices.IndexFunc(before, func(b Tool) bool { return b.Name == t.Name })
		if at >= 0 && strings.HasPrefix(before[at].As, s.Name+"_") && isCalled(before[at].As) && !used[before[at].As] {
			t.As = before[at].As
			used[t.As] = true
		}
	}
	for i := range s.Tools {
		t := &s.Tools[i]
		if t.As != "" {
			continue
		}
		base := s.Name + "_" + plain(t.Name)
		t.As = base[:min(len(base), maxCalled)]
		for n := 2; used[t.As]; n++ {
			suffix := "_" + strconv.Itoa(n)
			t.As = base[:min(len(base), maxCalled-len(suffix))] + suffix
		}
		if t.As != base {
			numbered = append(numbered, t.As)
		}
		used[t.As] = true
	}
	return numbered
}

// plain returns a name in lower case and with nothing but letters, digits and _: getSum
// and get-sum are get_sum.
func plain(name string) string {
	var b strings.Builder
	lower := false // the last one was a small letter or a digit
	for _, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			if lower {
				b.WriteByte('_')
			}
			b.WriteRune(c + 'a' - 'A')
			lower = false
			continue
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b.WriteRune(c)
			lower = true
			continue
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
		lower = false
	}
	if name := strings.Trim(b.String(), "_"); name != "" {
		return name
	}
	return "tool"
}
