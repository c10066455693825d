package provider

import (
	"cmp"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/web"
)

// base is the address of a service: the person's own or the usual one.
func (a Account) base(usual string) string {
	return cmp.Or(strings.TrimSuffix(a.URL, "/"), usual)
}

// operators is the query with the site in it, as all engines that read the
// operators of search boxes take it.
func (q Query) operators() string {
	if q.Site == "" {
		return q.Text
	}
	return q.Text + " site:" + q.Site
}

// host is the site without a path.
func (q Query) host() []string {
	if q.Site == "" {
		return nil
	}
	host, _, _ := strings.Cut(q.Site, "/")
	return []string{host}
}

// post is a request with a body of JSON and the headers that hold the key.
func post(address string, body any, key map[string]string) web.Request {
	text, err := schema.Marshal(body)
	if err != nil {
		panic(err) // a body is made of strings and numbers
	}
	return web.Request{URL: address, Accept: "application/json", Body: text, ContentType: "application/json", Secret: key}
}

func keyIn(variable string) fault.Text {
	return fault.T("ask the person to set %s in the environment, or the key in their own configuration", "请用户设置环境变量 %s，或在自己的配置中填写密钥", variable)
}
