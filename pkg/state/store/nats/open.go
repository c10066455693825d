package nats

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"

	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store/address"
)

// Options are the settings of a store, named as those of helve's configuration.
// Credentials, CA, Cert and Key are files, and may be empty.
type Options struct {
	URL         string
	Credentials string
	CA          string
	Cert        string
	Key         string
	Replicas    int // of the stream; 0 leaves it to the size of the cluster
}

// maxFile is the largest file that is named in the settings, in bytes.
const maxFile = 1 << 20

// Open reads the files that the options name. It does not connect yet. The fault is
// not_configured.
func Open(o Options) (*Store, error) {
	a, err := address.Parse(o.URL)
	if err != nil {
		return nil, err
	}
	s := &Store{
		names:    subjects{a.Namespace, a.Domain},
		replicas: o.Replicas,
		gate:     make(chan struct{}, 1),
		closed:   make(chan struct{}),
		options: client.Options{
			Name: "helve", User: a.User, Password: a.Password, Token: a.Token, InboxPrefix: a.InboxPrefix,
			Secure: a.TLS || o.CA != "" || o.Cert != "", TLSHandshakeFirst: a.TLSFirst,
			ReconnectBufSize: -1, SkipHostLookup: true, PingInterval: client.DefaultPingInterval,
			Timeout: writeTimeout, FlusherTimeout: writeTimeout, // to connect, a context ends before
		},
	}
	for _, server := range a.Servers {
		s.options.Servers = append(s.options.Servers, a.Scheme+"://"+server)
	}
	if o.Credentials != "" {
		text, err := readSetting("store.credentials", o.Credentials)
		if err != nil {
			return nil, err
		}
		if err := authenticate(&s.options, text); err != nil {
			return nil, badSetting("store.credentials", o.Credentials, err)
		}
	}
	s.options.TLSConfig, err = tlsConfig(o)
	return s, err
}

// authenticate sets who connects: from a file as nsc writes it, which has a token that
// the server's operator or account has signed and the seed of the user's key, or from
// the seed alone.
func authenticate(o *client.Options, text []byte) error {
	key, err := nkeys.ParseDecoratedUserNKey(text)
	if err != nil {
		return errors.New("want a token and the seed of a user, as in a file that nsc has written, or the seed alone")
	}
	if o.Nkey, err = key.PublicKey(); err != nil {
		return err
	}
	o.SignatureCB = key.Sign
	if !bytes.Contains(text, []byte("JWT")) {
		return nil
	}
	token, err := nkeys.ParseDecoratedJWT(text)
	if err != nil || strings.Count(token, ".") != 2 {
		return errors.New("there is no token in it")
	}
	o.Nkey, o.UserJWT = "", func() (string, error) { return token, nil }
	return nil
}

// trust returns how to check a server. One that another has named by its IP alone has
// the certificate of the name in the settings. A web socket is encrypted if there is
// anything to return.
func (s *Store) trust(server string) *tls.Config {
	if strings.HasPrefix(server, "ws://") && !s.options.Secure {
		return nil
	}
	c := s.options.TLSConfig
	host, _, _ := net.SplitHostPort(hostOf(server))
	name, _, _ := net.SplitHostPort(hostOf(s.options.Servers[0]))
	if !slices.Contains(s.options.Servers, server) && net.ParseIP(host) != nil && net.ParseIP(name) == nil {
		c = c.Clone()
		c.ServerName = name
	}
	return c
}

// tlsConfig returns how to check the server, and what to show to it.
func tlsConfig(o Options) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CA != "" {
		text, err := readSetting("store.ca", o.CA)
		if err != nil {
			return nil, err
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, badSetting("store.ca", o.CA, errors.New("there is no certificate in it"))
		}
	}
	if o.Cert == "" && o.Key == "" {
		return c, nil
	}
	if o.Cert == "" || o.Key == "" {
		return nil, fault.New(fault.NotConfigured, fault.T("of store.cert and store.key only one is set")).
			WithHint(fault.T("set both, or none"))
	}
	cert, err := readSetting("store.cert", o.Cert)
	if err != nil {
		return nil, err
	}
	key, err := readSetting("store.key", o.Key)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, badSetting("store.cert", o.Cert, err)
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}

// readSetting reads a file that a setting names.
func readSetting(setting, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, badSetting(setting, path, fault.System(err, path))
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, badSetting(setting, path, fault.System(err, path))
	}
	return text, nil
}

func badSetting(setting, path string, err error) error {
	what := fault.T("%s", err.Error())
	if f, ok := errors.AsType[*fault.Error](err); ok {
		what = f.Message
	}
	return fault.New(fault.NotConfigured, fault.T("%s: %s cannot be used: %s", setting, path, what)).
		WithHint(fault.T("correct the file, or name another one with helve config set %s FILE", setting)).Because(err)
}
