package nats

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"os"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store/address"
	"github.com/helve-dev/helve/pkg/state/store/nats/wire"
)

// Options are the settings of a store, named as those of helve's configuration. All
// but the URL are files, and may be empty.
type Options struct {
	URL         string
	Credentials string
	CA          string
	Cert        string
	Key         string
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
		names:  subjects{a.Namespace},
		wire:   wire.Options{Servers: a.Servers, RequireTLS: a.TLS || o.CA != "" || o.Cert != "", User: a.User, Password: a.Password, Token: a.Token},
		gate:   make(chan struct{}, 1),
		closed: make(chan struct{}),
	}
	if o.Credentials != "" {
		text, err := readSetting("store.credentials", o.Credentials)
		if err != nil {
			return nil, err
		}
		if s.wire.Credentials, err = wire.ParseCredentials(string(text)); err != nil {
			return nil, badSetting("store.credentials", o.Credentials, err)
		}
	}
	s.wire.TLS, err = tlsConfig(o)
	return s, err
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
