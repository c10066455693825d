package web

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"os/exec"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestParse(t *testing.T) {
	for raw, want := range map[string]string{
		"https://Example.ORG":               "https://example.org/",
		" <https://example.org/a> ":         "https://example.org/a",
		"`https://example.org/a?b=c#d`":     "https://example.org/a?b=c#d",
		"example.org/x":                     "https://example.org/x",
		"example.org:8080/x":                "https://example.org:8080/x",
		"//example.org/x":                   "https://example.org/x",
		"HTTP://example.org:80/":            "http://example.org/",
		"https://example.org:443/":          "https://example.org/",
		"https://example.org./":             "https://example.org/",
		"https://bücher.example/":           "https://xn--bcher-kva.example/",
		"https://例え.テスト/":                   "https://xn--r8jz45g.xn--zckzah/",
		"http://ｅｘａｍｐｌｅ。org/":               "http://example.org/",
		"http://2130706433/":                "http://127.0.0.1/",
		"http://0x7F.1/":                    "http://127.0.0.1/",
		"http://0177.0.0.01/":               "http://127.0.0.1/",
		"http://１２７.０.０.１/":                 "http://127.0.0.1/",
		"http://127.1:8080/x":               "http://127.0.0.1:8080/x",
		"http://[::FFFF:127.0.0.1]/":        "http://[::ffff:127.0.0.1]/",
		"http://[2606:4700:0:0::1111]:80/":  "http://[2606:4700::1111]/",
		"https://r3---sn.example.org/":      "https://r3---sn.example.org/",
		"https://a_b.example.org/":          "https://a_b.example.org/",
		"https://example.org/a b?c d":       "https://example.org/a%20b?c%20d",
		"https://example.org/%E4%BD%A0?q=好": "https://example.org/%E4%BD%A0?q=%E5%A5%BD",
		"https://example.org?x":             "https://example.org/?x",
	} {
		u, err := Parse(raw)
		if err != nil || u.String() != want {
			t.Errorf("%q: %v, %v, want %s", raw, u, err, want)
		}
	}
	for raw, want := range map[string]fault.Code{
		"":                                    fault.InvalidArguments,
		"https://":                            fault.InvalidArguments,
		"https:///x":                          fault.InvalidArguments,
		"http://256.1.1.1/":                   fault.InvalidArguments,
		"http://1.2.3.4.5/":                   fault.InvalidArguments,
		"http://08.1.1.1/":                    fault.InvalidArguments,
		"http://0x1g.0x1/x":                   fault.InvalidArguments,
		"http://4294967296/":                  fault.InvalidArguments,
		"http://example.org:0/":               fault.InvalidArguments,
		"http://example.org:65536/":           fault.InvalidArguments,
		"http://example.org:x/":               fault.InvalidArguments,
		"http://a..b/":                        fault.InvalidArguments,
		"http://.a/":                          fault.InvalidArguments,
		"http://a b/":                         fault.InvalidArguments,
		"http://a%00b/":                       fault.InvalidArguments,
		"http://exam%70le.org@evil.org/":      fault.InvalidArguments,
		"http://user:sesame@example.org/":     fault.InvalidArguments,
		"http:example.org":                    fault.InvalidArguments,
		"http:\\\\example.org\\x":             fault.InvalidArguments,
		"http://example.org\\@127.0.0.1/":     fault.InvalidArguments,
		"http://[::1/":                        fault.InvalidArguments,
		"http://[fe80::1%25eth0]/":            fault.InvalidArguments,
		"http://[2606:4700::1111%25eth0]/":    fault.InvalidArguments,
		"http://[::1%25lo]:8080/":             fault.InvalidArguments,
		"[::%25.000]":                         fault.InvalidArguments,
		"http://exa\nmple.org/":               fault.InvalidArguments,
		"http://" + strings.Repeat("a", 9000): fault.InvalidArguments,
		"file:///etc/passwd":                  fault.UnsupportedScheme,
		"gopher://example.org/":               fault.UnsupportedScheme,
		"javascript:alert(1)":                 fault.UnsupportedScheme,
		"data:text/html,x":                    fault.UnsupportedScheme,
		"mailto:a@example.org":                fault.UnsupportedScheme,
	} {
		if u, err := Parse(raw); !fault.Is(err, want) {
			t.Errorf("%.60q: %v, %v, want %s", raw, u, err, want)
		} else if text := err.Error(); strings.Contains(text, "sesame") {
			t.Errorf("%q is in %s", "sesame", text)
		}
	}
}

// Hosts that are numbers mean what they mean to a browser.
func TestNumbersAgainstNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	var hosts []string
	parts := []string{"0", "1", "127", "255", "256", "010", "08", "0x", "0x7f", "0xfff", "65535", "65536", "16777216", "4294967295", "4294967296", "00", "0x00000000001", "99999999999999999999", "a", "1a", "0xg"}
	for _, a := range parts {
		hosts = append(hosts, a)
		for _, b := range parts {
			hosts = append(hosts, a+"."+b, "1."+a+"."+b, "1.2."+a+"."+b, a+".3.2."+b, "1.2.3."+a+"."+b)
		}
	}
	list, err := json.Marshal(hosts)
	if err != nil {
		t.Fatal(err)
	}
	program := `console.log(JSON.stringify(` + string(list) + `.map(h => { try { return new URL("http://" + h + "/").hostname } catch { return "" } })))`
	out, err := exec.Command(node, "-e", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, host := range hosts {
		got, err := normalHost(host)
		if got != want[i] {
			t.Errorf("%s: %q, %v, and %q to a browser", host, got, err, want[i])
		}
	}
}

// Queries are escaped as browsers do, in the request and in the result.
func TestQueriesAgainstNode(t *testing.T) {
	queries := []string{"q=a b", "q=ä ö&x=世界", `q="x"<y>'z'1`, "q=%C3%A4+b%20c", "q=100%", "q=[a]{b}|c^d`e\\f", "q=a\u202eb\u009b", "q=~*()!$,;:@/?", "a=1&&b"}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.URL.RawQuery)) })
	var want []string
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	list, err := json.Marshal(queries)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, "-e", `console.log(JSON.stringify(`+string(list)+`.map(q => new URL("http://x/?" + q).search.slice(1))))`).Output()
	if err == nil {
		err = json.Unmarshal(out, &want)
	}
	if err != nil || len(want) != len(queries) {
		t.Fatal(err, want)
	}
	for i, q := range queries {
		r := get(t, client(t, nil), Request{URL: At(s.URL + "/?" + q)})
		if string(r.Body) != want[i] || r.FinalURL.String() != s.URL+"/?"+want[i] {
			t.Errorf("%q: %q at %s, want %q", q, r.Body, r.FinalURL.String(), want[i])
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"https://example.org/a?b#c", "http://0x7f.1:80/", "[::1]", "http://[fe80::1%25eth0]/", "http://１２７。1/", "a:b@c", "http://a\\@b/", "//x", "localhost:1", "http://xn--a/", "[::%25A]", "[::%25.]", "[::%25.000]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := Parse(raw)
		if err != nil {
			if !fault.Is(err, fault.InvalidArguments) && !fault.Is(err, fault.UnsupportedScheme) {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		if u := u.URL(); u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Host == "" {
			t.Fatalf("%q: %s", raw, u)
		}
		host := u.Hostname()
		if a, err := netip.ParseAddr(host); err == nil && a.String() != host {
			t.Fatalf("%q: the host is %q, which is %s", raw, host, a)
		}
		if a, numeric := number(host); numeric && a.String() != host {
			t.Fatalf("%q: the host is still the number %q", raw, host)
		}
		if host != strings.ToLower(host) || strings.HasSuffix(host, ".") || strings.Contains(host, "%") {
			t.Fatalf("%q: the host is %q", raw, host)
		}
		again, err := Parse(u.String())
		if err != nil || again.String() != u.String() {
			t.Fatalf("%q: %s is then %v, %v", raw, u, again, err)
		}
	})
}
