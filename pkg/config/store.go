package config

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store/address"
)

// Store is the settings of the store that messages and scheduled jobs are in.
type Store struct {
	URL         string `json:"url,omitzero" doc:"Server of a store that several hosts share, such as nats://host:4222/team, where team is a namespace; several hosts are joined by commas. A user and password, or a token, before an @ are never shown. Empty: a file on this machine." zh:"多台主机共用的存储的服务器，例如 nats://host:4222/team，其中 team 为命名空间；多个主机以逗号相连。@ 之前的用户名和密码或令牌从不显示。为空：本机上的文件。"`
	Credentials string `json:"credentials,omitzero" doc:"File with the credentials for the server (.creds). This and the other files may be relative as the path of a project is." zh:"服务器凭据文件（.creds）。此文件及其他文件可像项目路径那样为相对路径。"`
	CA          string `json:"ca,omitzero" doc:"File with the certificates (PEM) of authorities to trust instead of the system's." zh:"证书颁发机构的证书文件（PEM），取代系统所信任的。"`
	Cert        string `json:"cert,omitzero" doc:"File with the certificate (PEM) to show to the server; it needs key." zh:"向服务器出示的证书文件（PEM）；还需要 key。"`
	Key         string `json:"key,omitzero" doc:"File with the key (PEM) of the certificate." zh:"该证书的私钥文件（PEM）。"`
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
			report("/store/"+f.name, fault.T("must not contain a NUL", "不得包含 NUL"))
		}
	}
}
