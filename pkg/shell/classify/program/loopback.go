package program

import (
	"net/netip"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// onlyLoopback reports whether a call, as written, reaches nothing but the loopback of its own
// sandbox. That need not be proved: what goes elsewhere all the same, by a redirection
// or a proxy of the settings, finds no way out. What is not sure here is asked about
// beforehand instead of failing.
func (c Call) onlyLoopback() bool {
	if !c.Files.OwnLoopback() || c.loopback == nil || c.Appended {
		return false
	}
	for _, w := range c.Args {
		// An "@" may be "$@", which is several words, and comes before a host in a URL.
		if w.Split || !w.Lit && strings.Contains(w.Source, "@") {
			return false
		}
	}
	return c.loopback(c)
}

// fetchesLoopback reports whether each URL of a downloader is on this machine, and no option
// leads elsewhere.
func (c Call) fetchesLoopback() bool {
	urls, ok := c.urls()
	for _, w := range urls {
		ok = ok && loopbackURL(w)
	}
	return ok && len(urls) > 0
}

// requestsLoopback is fetchesLoopback for a program with one URL, which a method may precede, and
// fields of the request behind it. It takes ":8080/x" for a URL of this machine.
func (c Call) requestsLoopback() bool {
	words, ok := c.urls()
	if ok && len(words) > 1 && words[0].Known() && strings.Trim(words[0].Text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		words = words[1:]
	}
	if !ok || len(words) == 0 {
		return false
	}
	url := words[0]
	if strings.HasPrefix(url.Text, ":") && !strings.HasPrefix(url.Text, "::") {
		url.Text = "localhost" + url.Text
	}
	return loopbackURL(url)
}

// urls returns the operands of a downloader and the values of --url; false if an option
// is not known to leave alone where it connects to.
func (c Call) urls() ([]word.Word, bool) {
	var urls []word.Word
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		var column class
		takes := false
		switch {
		case w.MayBeOption():
			return nil, false
		case w.Known() && w.Text == "--":
			return append(urls, c.Args[i+1:]...), true
		case len(w.Text) < 2 || w.Text[0] != '-':
			urls = append(urls, w)
			continue
		case strings.HasPrefix(w.Text, "--"):
			name, _, joined := strings.Cut(w.Text[2:], "=")
			if column, takes = c.longOption(name); name == "url" && takes && !joined {
				continue // the next word is an operand
			}
			if takes = takes && !joined; word.Listed("u ur url", name) {
				return nil, false
			}
		default:
			for j := 1; j < len(w.Text) && !takes; j++ {
				if column, takes = c.shortOption(w.Text[j]); w.Text[j] == 'x' || !leaves(column) {
					return nil, false // -x is curl's proxy
				}
				if takes && j+1 < len(w.Text) {
					takes = false
					break
				}
			}
		}
		if !leaves(column) {
			return nil, false
		}
		if takes {
			i++
		}
	}
	return urls, true
}

// leaves reports whether an option leaves alone where a downloader connects to.
func leaves(column class) bool {
	return column == harmlessOption || column == valueOption || column == writeOption
}

// loopbackURL reports whether a word is a URL whose host is the loopback, as every program
// reads it: no user, no escape, no number but of four parts. Behind the host it need not
// be known, and brackets around the host are no pattern that matters.
func loopbackURL(w word.Word) bool {
	text, scheme := w.Prefix(), ""
	if w.Lit {
		text = w.Text
	}
	if before, after, found := strings.Cut(text, "://"); found {
		scheme, text = strings.ToLower(before), after
	}
	if scheme != "" && !word.Listed("http https ws wss", scheme) {
		return false
	}
	end := strings.IndexAny(text, "/?#")
	switch {
	case end >= 0 && w.Glob && text[end] == '?', end < 0 && !w.Lit:
		return false
	case end < 0:
		end = len(text)
	}
	host, port := text[:end], ""
	switch i := strings.LastIndexByte(host, ':'); {
	case strings.HasSuffix(host, "]"):
	case i >= 0:
		host, port = host[:i], host[i+1:]
	}
	return strings.Trim(port, "0123456789") == "" && loopbackHost(host)
}

// loopbackHost reports whether a host, in brackets if it is of IPv6, is the loopback.
func loopbackHost(host string) bool {
	if inner, found := strings.CutPrefix(host, "["); found {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		return err == nil && strings.HasSuffix(inner, "]") && addr.Is6() && !addr.Is4In6() && addr.Zone() == "" && (addr.IsLoopback() || addr.IsUnspecified())
	}
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.Is4() && (addr.IsLoopback() || addr.IsUnspecified())
}

// usesLoopback reports whether nc listens, or connects to the loopback.
func (c Call) usesLoopback() bool {
	var operands []string
	listens := false
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		switch {
		case !w.Known():
			return false
		case len(w.Text) < 2 || w.Text[0] != '-':
			operands = append(operands, w.Text)
			continue
		case strings.Trim(w.Text[1:], "lkvnzuNwpqi0123456789") != "":
			return false
		}
		listens = listens || strings.Contains(w.Text, "l")
		if strings.ContainsAny(w.Text[len(w.Text)-1:], "wpqi") {
			i++ // the value
		}
	}
	if listens {
		return true
	}
	return len(operands) == 2 && loopbackHost(operands[0])
}
