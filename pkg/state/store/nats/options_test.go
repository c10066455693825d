package nats

import (
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/helve-dev/helve/pkg/fault"
)

// secured returns what a server shows, and writes its authority to ca.pem.
func secured(t *testing.T, dir string) (o *server.TLSConfigOpts, ca string) {
	t.Helper()
	a := newAuthority(t, dir)
	a.issue("server", &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	return &server.TLSConfigOpts{CertFile: filepath.Join(dir, "server.pem"), KeyFile: filepath.Join(dir, "server.key")}, filepath.Join(dir, "ca.pem")
}

func TestTLSFirst(t *testing.T) {
	files, ca := secured(t, t.TempDir())
	address := inProcess(t, func(o *server.Options) {
		config, err := server.GenTLSConfig(files)
		if err != nil {
			t.Fatal(err)
		}
		o.TLS, o.TLSConfig, o.TLSTimeout, o.TLSHandshakeFirst = true, config, 30, true
	})
	for _, scheme := range []string{"nats", "tls"} {
		if err := opened(t, Options{URL: scheme + "://" + address + "/team?tls_first=true", CA: ca}); err != nil {
			t.Errorf("%s: %v", scheme, err)
		}
	}
	wants(t, opened(t, Options{URL: "tls://" + address + "?tls_first=true"}), fault.NotConfigured, "store.ca")
	wants(t, opened(t, Options{URL: "nats://" + inProcess(t) + "?tls_first=true"}), fault.NotConfigured, "tls_first")
}

func TestWebSocket(t *testing.T) {
	files, ca := secured(t, t.TempDir())
	address := func(encrypted bool) string {
		o := options(t.TempDir())
		o.Websocket = server.WebsocketOpts{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoTLS: !encrypted}
		if encrypted {
			var err error
			if o.Websocket.TLSConfig, err = server.GenTLSConfig(files); err != nil {
				t.Fatal(err)
			}
		}
		s, err := start(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Shutdown)
		return s.WebsocketURL() // has the scheme
	}
	if err := opened(t, Options{URL: address(false) + "/team"}); err != nil {
		t.Error(err)
	}
	if err := opened(t, Options{URL: address(true) + "/team", CA: ca}); err != nil {
		t.Error(err)
	}
	wants(t, opened(t, Options{URL: address(true)}), fault.NotConfigured, "store.ca")
	wants(t, opened(t, Options{URL: "ws://" + inProcess(t)}), fault.Unavailable)
}

// TestNKey has a server that knows users by their public keys.
func TestNKey(t *testing.T) {
	seedOf := func(key nkeys.KeyPair) []byte {
		seed, err := key.Seed()
		if err != nil {
			t.Fatal(err)
		}
		return seed
	}
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, err := user.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	address := inProcess(t, func(o *server.Options) { o.Nkeys = []*server.NkeyUser{{Nkey: public}} })
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, text := range map[string]string{
		"plain":     string(seedOf(user)) + "\n",
		"decorated": "-----BEGIN USER NKEY SEED-----\r\n" + string(seedOf(user)) + "\r\n------END USER NKEY SEED------\r\n",
	} {
		if err := opened(t, Options{URL: "nats://" + address, Credentials: file(name, text)}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	wants(t, opened(t, Options{URL: "nats://" + address, Credentials: file("stranger", string(seedOf(stranger)))}), fault.PermissionDenied, "store.credentials")
	wants(t, opened(t, Options{URL: "nats://" + inProcess(t), Credentials: file("user", string(seedOf(user)))}), fault.PermissionDenied, "nkeys not supported")

	account, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	seed, other := string(seedOf(user)), "A"
	if seed[20:21] == other {
		other = "B"
	}
	whole := "-----BEGIN NATS USER JWT-----\neyJ0.eyJq.c2ln\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n" + seed + "\n------END USER NKEY SEED------\n"
	for what, bad := range map[string]string{
		"nothing":      "",
		"no seed":      whole[:strings.Index(whole, "-----BEGIN USER")],
		"no token":     strings.Replace(whole, "eyJ0.eyJq.c2ln", "", 1),
		"short":        strings.Replace(whole, seed[:8], "SU", 1),
		"damaged":      strings.Replace(whole, seed, seed[:20]+other+seed[21:], 1),
		"an account's": strings.Replace(whole, seed, string(seedOf(account)), 1),
	} {
		_, err := Open(Options{URL: "nats://x", Credentials: file("bad", bad)})
		if wants(t, err, fault.NotConfigured, "store.credentials"); err != nil && strings.Contains(err.Error(), "SU") {
			t.Errorf("%s: %v", what, err)
		}
	}
	var o client.Options
	if err := authenticate(&o, []byte(whole)); err != nil || o.Nkey != "" || o.UserJWT == nil {
		t.Error(err)
	}
}

func TestInboxPrefix(t *testing.T) {
	address := inProcess(t, func(o *server.Options) {
		o.Users = []*server.User{{Username: "me", Password: "s3cret", Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: []string{">"}}, Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX_me.>", "helve.*.bell.>"}}}}}
	})
	if err := opened(t, Options{URL: "nats://me:s3cret@" + address + "/a?inbox_prefix=_INBOX_me"}); err != nil {
		t.Error(err)
	}
	wants(t, opened(t, Options{URL: "nats://me:s3cret@" + address + "/b"}), fault.PermissionDenied, "_INBOX.")
	wants(t, opened(t, Options{URL: "nats://me:s3cret@" + address + "/b?inbox_prefix=_INBOX_you"}), fault.PermissionDenied, "subscribe to _INBOX_you.>")
}

func TestDomain(t *testing.T) {
	address := inProcess(t, func(o *server.Options) { o.JetStreamDomain = "hub" })
	s := fresh(t, address, "team?jetstream_domain=hub")
	put(t, s, "k", "v")
	if got := get(t, s, "k"); got != "v" {
		t.Errorf("%q", got)
	}
}

// TestReplicas asks for more copies than there are servers.
func TestReplicas(t *testing.T) {
	wants(t, opened(t, Options{URL: "nats://" + inProcess(t), Replicas: 3}), fault.NotConfigured, "store.replicas")
}
