package config

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store/address"
)

// Store is the settings of the store that messages and scheduled jobs are in.
type Store struct {
	URL         string `json:"url,omitzero" doc:"Server of a store that several hosts share, such as nats://host:4222/team, where team is a namespace; several hosts are joined by commas. Besides nats:// there are tls://, ws:// and wss://; options may follow as in ?tls_first=true&inbox_prefix=TEXT&jetstream_domain=NAME. A user and password, or a token, before an @ are never shown. Empty: a file on this machine."`
	Credentials string `json:"credentials,omitzero" doc:"File with the credentials for the server (.creds), or with the seed of an NKey alone. This and the other files may be relative as the path of a project is."`
	CA          string `json:"ca,omitzero" doc:"File with the certificates (PEM) of authorities to trust instead of the system's."`
	Cert        string `json:"cert,omitzero" doc:"File with the certificate (PEM) to show to the server; it needs key."`
	Key         string `json:"key,omitzero" doc:"File with the key (PEM) of the certificate."`
	Replicas    int    `json:"replicas,omitzero" default:"0" min:"0" max:"5" doc:"Servers of a cluster that each keep a copy, decided when the store is first used. 0: three on a cluster of three or more, else one."`
}

// checkStore reports what is wrong with the settings of the store.
func checkStore(s *Store, report func(pointer string, what fault.Text)) {
	if s.URL != "" {
		if _, err := address.Parse(s.URL); err != nil {
			report("/store/url", fault.As(err).Message)
		}
	}
	for _, f := range [...]struct{ name, path string }{{"credentials", s.Credentials}, {"ca", s.CA}, {"cert", s.Cert}, {"key", s.Key}} {
		if strings.ContainsRune(f.path, 0) {
			report("/store/"+f.name, fault.T("must not contain a NUL"))
		}
	}
}
