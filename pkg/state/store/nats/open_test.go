package nats

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/helve-dev/helve/pkg/fault"
)

// authority signs certificates.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  ed25519.PrivateKey
}

func newAuthority(t *testing.T, dir string) *authority {
	a := &authority{t: t, dir: dir}
	a.cert, a.key = a.issue("ca", &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// issue writes NAME.pem and NAME.key. An authority signs itself.
func (a *authority) issue(name string, c *x509.Certificate) (*x509.Certificate, ed25519.PrivateKey) {
	a.t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	c.SerialNumber, c.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, public, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	a.write(name+".pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	a.write(name+".key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	made, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return made, key
}

func (a *authority) write(name string, data []byte) {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.dir, name), data, 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// opened opens a store and uses it.
func opened(t *testing.T, o Options) error {
	t.Helper()
	s, err := Open(o)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	return putBytes(s, 1)
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	a := newAuthority(t, dir)
	a.issue("server", &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	a.issue("other", &x509.Certificate{DNSNames: []string{"other.example"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	a.issue("client", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	secured := func(cert string, verify bool) string {
		return inProcess(t, func(o *server.Options) {
			config, err := server.GenTLSConfig(&server.TLSConfigOpts{CertFile: in(cert + ".pem"), KeyFile: in(cert + ".key"), CaFile: in("ca.pem"), Verify: verify})
			if err != nil {
				t.Fatal(err)
			}
			o.TLS, o.TLSVerify, o.TLSConfig, o.TLSTimeout = true, verify, config, 30
		})
	}
	address, mutual, plain := secured("server", false), secured("server", true), inProcess(t)

	if err := opened(t, Options{URL: "tls://" + address, CA: in("ca.pem")}); err != nil {
		t.Error(err)
	}
	if err := opened(t, Options{URL: "nats://" + address, CA: in("ca.pem")}); err != nil {
		t.Error("a server that wants TLS gets it:", err)
	}
	if err := opened(t, Options{URL: "tls://" + mutual, CA: in("ca.pem"), Cert: in("client.pem"), Key: in("client.key")}); err != nil {
		t.Error(err)
	}
	wants(t, opened(t, Options{URL: "nats://" + address}), fault.NotConfigured, "store.ca")
	wants(t, opened(t, Options{URL: "tls://" + secured("other", false), CA: in("ca.pem")}), fault.NotConfigured, "cannot be trusted")
	wants(t, opened(t, Options{URL: "tls://" + plain}), fault.NotConfigured, "does not offer TLS")
	wants(t, opened(t, Options{URL: "nats://" + plain, CA: in("ca.pem")}), fault.NotConfigured, "does not offer TLS")
	// The server closes the connection with an alert, which may be lost with it.
	if err := opened(t, Options{URL: "tls://" + mutual, CA: in("ca.pem")}); !fault.Is(err, fault.NotConfigured) && !fault.Is(err, fault.Unavailable) {
		t.Error("without a certificate:", err)
	}

	a.write("empty.pem", nil)
	for _, o := range []Options{
		{URL: "http://x"},
		{URL: "nats://x", CA: in("none.pem")},
		{URL: "nats://x", CA: in("empty.pem")},
		{URL: "nats://x", Cert: in("client.pem")},
		{URL: "nats://x", Key: in("client.key")},
		{URL: "nats://x", Cert: in("client.pem"), Key: in("server.key")},
		{URL: "nats://x", Cert: in("client.pem"), Key: in("none.key")},
		{URL: "nats://x", Credentials: in("ca.pem")},
		{URL: "nats://x", Credentials: dir},
	} {
		_, err := Open(o)
		wants(t, err, fault.NotConfigured)
	}
}

// TestCredentials has a server whose operator gives accounts, and these users, what they
// may do, by signed tokens.
func TestCredentials(t *testing.T) {
	pair := func(kind nkeys.PrefixByte) (nkeys.KeyPair, string) {
		key, err := nkeys.CreatePair(kind)
		if err != nil {
			t.Fatal(err)
		}
		public, err := key.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return key, public
	}
	sign := func(c jwt.Claims, by nkeys.KeyPair) string {
		token, err := c.Encode(by)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	operator, operatorID := pair(nkeys.PrefixByteOperator)
	account, accountID := pair(nkeys.PrefixByteAccount)
	system, systemID := pair(nkeys.PrefixByteAccount)
	claims := jwt.NewAccountClaims(accountID)
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: -1, MemoryStorage: -1, Streams: -1, Consumer: -1}
	address := inProcess(t, func(o *server.Options) {
		root := jwt.NewOperatorClaims(operatorID)
		decoded, err := jwt.DecodeOperatorClaims(sign(root, operator))
		if err != nil {
			t.Fatal(err)
		}
		resolver := &server.MemAccResolver{}
		for id, token := range map[string]string{accountID: sign(claims, operator), systemID: sign(jwt.NewAccountClaims(systemID), operator)} {
			if err := resolver.Store(id, token); err != nil {
				t.Fatal(err)
			}
		}
		o.TrustedOperators, o.AccountResolver, o.SystemAccount = []*jwt.OperatorClaims{decoded}, resolver, systemID
	})
	dir := t.TempDir()
	creds := func(name string, by nkeys.KeyPair) string {
		user, id := pair(nkeys.PrefixByteUser)
		seed, err := user.Seed()
		if err != nil {
			t.Fatal(err)
		}
		text, err := jwt.FormatUserConfig(sign(jwt.NewUserClaims(id), by), seed)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	if err := opened(t, Options{URL: "nats://" + address, Credentials: creds("good.creds", account)}); err != nil {
		t.Error(err)
	}
	stranger, _ := pair(nkeys.PrefixByteAccount)
	wants(t, opened(t, Options{URL: "nats://" + address, Credentials: creds("bad.creds", stranger)}), fault.PermissionDenied, "store.credentials")
	wants(t, opened(t, Options{URL: "nats://" + address}), fault.PermissionDenied)
	// The system account has no JetStream.
	wants(t, opened(t, Options{URL: "nats://" + address, Credentials: creds("system.creds", system)}), fault.Unsupported)
}
