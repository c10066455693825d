package address

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Address{
		"nats://host":                  {Scheme: "nats", Servers: []string{"host:4222"}, Namespace: "helve"},
		"nats://host/":                 {Scheme: "nats", Servers: []string{"host:4222"}, Namespace: "helve"},
		"tls://a:1,b,[::1]:7/team_1-x": {Scheme: "tls", TLS: true, Servers: []string{"a:1", "b:4222", "[::1]:7"}, Namespace: "team_1-x"},
		"nats://a,nats://b":            {Scheme: "nats", Servers: []string{"a:4222", "b:4222"}, Namespace: "helve"},
		"nats://a,nats://b/t":          {Scheme: "nats", Servers: []string{"a:4222", "b:4222"}, Namespace: "t"},
		"nats://me:p,w%40rd@a,b/t":     {Scheme: "nats", Servers: []string{"a:4222", "b:4222"}, Namespace: "t", User: "me", Password: "p,w@rd"},
		"nats://s3cret@[fe80::1]":      {Scheme: "nats", Servers: []string{"[fe80::1]:4222"}, Namespace: "helve", Token: "s3cret"},
		"ws://a,b/t":                   {Scheme: "ws", Servers: []string{"a:80", "b:80"}, Namespace: "t"},
		"wss://a?jetstream_domain=hub": {Scheme: "wss", TLS: true, Servers: []string{"a:443"}, Namespace: "helve", Domain: "hub"},
		"nats://a/t?tls_first=true&inbox_prefix=_INBOX.me": {Scheme: "nats", TLS: true, TLSFirst: true, Servers: []string{"a:4222"}, Namespace: "t", InboxPrefix: "_INBOX.me"},
		"nats://a?tls_first=false":                         {Scheme: "nats", Servers: []string{"a:4222"}, Namespace: "helve"},
		"nats://me:a?b@a":                                  {Scheme: "nats", Servers: []string{"a:4222"}, Namespace: "helve", User: "me", Password: "a?b"},
		"nats://me:@a":                                     {Scheme: "nats", Servers: []string{"a:4222"}, Namespace: "helve", User: "me"},
	} {
		got, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "host", "http://host", "nats:host", "nats://", "nats:///team", "nats://a,,b", "nats://a,", "nats://a:0", "nats://a:70000", "nats://a:x", "nats://a/Team",
		"nats://a/b/c", "nats://a?x=1", "nats://a?tls_first=yes", "ws://a?tls_first=true", "nats://a?inbox_prefix=a.*", "nats://a?inbox_prefix=a.", "nats://a?inbox_prefix=",
		"nats://a?jetstream_domain=a.b", "nats://a?jetstream_domain=a&jetstream_domain=b", "nats://a?inbox_prefix=a%40b", "nats://a?%zz", "ws://a,nats://b", "nats://a b", "nats://::1", "nats://u:p@a,nats://u:p@b", "nats://:p@a", "nats://%zz@a", "nats://@a", "tls://a,nats://b",
		"nats://a/" + strings.Repeat("x", 33), "nats://" + strings.Repeat("a,", 32) + "a",
	} {
		if a, err := Parse(text); !fault.Is(err, fault.NotConfigured) {
			t.Errorf("%q is %+v, %v", text, a, err)
		}
	}
}

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"nats://a,b/t":       "nats://a,b/t",
		"nats://me:p,w@a,b":  "nats://***@a,b",
		"tls://token@a":      "tls://***@a",
		"me:pw@a":            "***@a",
		"nats://a:p@b:q@c/t": "nats://***@c/t",
	} {
		if got := Shown(text); got != want {
			t.Errorf("%s is shown as %s", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("nats://host:4222/team")
	f.Add("tls://me:pass%40word@one.example:4222,[::1]/team")
	f.Add("nats://token@a,nats://b")
	f.Add("wss://a/t?inbox_prefix=x.y&jetstream_domain=hub")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse(text)
		if err != nil {
			if !fault.Is(err, fault.NotConfigured) {
				t.Fatal(err)
			}
			return
		}
		if len(a.Servers) == 0 || !isNamespace(a.Namespace) || a.Token != "" && a.User != "" {
			t.Fatalf("%q is %+v", text, a)
		}
		// What an address is made of makes the same address.
		again, err := Parse(a.Scheme + "://" + strings.Join(a.Servers, ",") + "/" + a.Namespace)
		a.User, a.Password, a.Token = "", "", ""
		if a.InboxPrefix, a.Domain, again.TLS, again.TLSFirst = "", "", a.TLS, a.TLSFirst; err != nil || !cmp.Equal(a, again) {
			t.Fatalf("%q is %+v, and again %+v, %v", text, a, again, err)
		}
		shown, err := Parse(Shown(text))
		if err != nil || shown.User != "" || shown.Token != "" && shown.Token != "***" {
			t.Fatalf("%q is shown as %q: %+v, %v", text, Shown(text), shown, err)
		}
	})
}
