package web

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestCertificates(t *testing.T) {
	now := time.Now()
	root := authority(t, "helve test", now.Add(-time.Hour), now.Add(time.Hour))
	pool := x509.NewCertPool()
	pool.AddCert(root.Leaf)
	resolver := names(t, func(string) []string { return []string{open} })
	visit := func(cert tls.Certificate, host string, wants *x509.CertPool, versions ...uint16) error {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("safe")) }))
		_ = s.Listener.Close()
		s.Listener = listen(t, open)
		s.Config.ErrorLog = quiet()
		s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
		if len(versions) > 0 {
			s.TLS.MinVersion, s.TLS.MaxVersion = versions[0], versions[0]
		}
		s.StartTLS()
		defer s.Close()
		_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
		c := client(t, func(o *Options) { o.Roots, o.Resolver = wants, resolver })
		r, err := c.Get(t.Context(), Request{URL: At("https://" + host + ":" + port + "/")})
		if err == nil && string(r.Body) != "safe" {
			t.Errorf("%q", r.Body)
		}
		return err
	}
	good := root.sign(t, now.Add(-time.Hour), now.Add(time.Hour))
	if err := visit(good, "good.example.org", pool); err != nil {
		t.Errorf("a good one: %v", err)
	}
	stranger := authority(t, "somebody", now.Add(-time.Hour), now.Add(time.Hour))
	for name, tt := range map[string]struct {
		cert     tls.Certificate
		host     string
		versions []uint16
		says     string
	}{
		"expired":      {root.sign(t, now.Add(-2*time.Hour), now.Add(-time.Minute)), "good.example.org", nil, "expired or is not valid yet"},
		"not yet":      {root.sign(t, now.Add(time.Hour), now.Add(2*time.Hour)), "good.example.org", nil, "expired or is not valid yet"},
		"another host": {good, "other.example.org", nil, "another host"},
		"no name":      {good, open, nil, "another host"},
		"unknown":      {stranger.sign(t, now.Add(-time.Hour), now.Add(time.Hour)), "good.example.org", nil, "no trusted authority"},
		"self-signed":  {stranger.Certificate, "good.example.org", nil, "no trusted authority"},
		"old protocol": {good, "good.example.org", []uint16{tls.VersionTLS11}, ""},
	} {
		err := visit(tt.cert, tt.host, pool, tt.versions...)
		if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Plain HTTP on a TLS address.
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	e := refusal(t, client(t, nil), Request{URL: At(strings.Replace(s.URL, "http:", "https:", 1))}, fault.Unavailable)
	if !strings.Contains(e.Error(), "does not speak TLS") {
		t.Error(e)
	}
}

// signer is a certificate authority.
type signer struct {
	tls.Certificate
	key *ecdsa.PrivateKey
}

func authority(t *testing.T, name string, from, to time.Time) *signer {
	t.Helper()
	return certify(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, NotBefore: from, NotAfter: to, DNSNames: []string{"good.example.org"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}, nil)
}

func (s *signer) sign(t *testing.T, from, to time.Time) tls.Certificate {
	t.Helper()
	return certify(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "good"}, NotBefore: from, NotAfter: to, DNSNames: []string{"good.example.org"},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, s).Certificate
}

func certify(t *testing.T, template *x509.Certificate, by *signer) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(template.NotAfter.UnixNano())
	parent, signing := template, key
	if by != nil {
		parent, signing = by.Leaf, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signing)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &signer{tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, key}
}
