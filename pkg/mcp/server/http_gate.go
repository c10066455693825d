package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// gate lets requests in: those that were meant for this server, are sent by no foreign web
// page, and show the token.
type gate struct {
	next    http.Handler
	lang    fault.Lang
	token   *[sha256.Size]byte // its sum; nil is no token
	hosts   []string
	origins []string
}

func newGate(next http.Handler, lang fault.Lang, o HTTP) *gate {
	g := &gate{next: next, lang: lang}
	if o.Token != "" {
		sum := sha256.Sum256([]byte(o.Token))
		g.token = &sum
	}
	for _, name := range o.Hosts {
		g.hosts = append(g.hosts, bare(name))
	}
	for _, origin := range o.Origins {
		g.origins = append(g.origins, strings.ToLower(strings.TrimSuffix(origin, "/")))
	}
	return g
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A page whose name leads to this machine would else be taken for one of this machine.
	if !g.knows(r) {
		refuse(w, g.lang, http.StatusForbidden, fault.T("%q is not a name of this server; helve mcp --allow-host adds one", "%q 不是本服务器的名称；可用 helve mcp --allow-host 添加", r.Host))
		return
	}
	w.Header().Set("Vary", "Origin")
	if origin, sent := r.Header["Origin"]; sent {
		if len(origin) != 1 || !g.trusts(origin[0]) {
			refuse(w, g.lang, http.StatusForbidden, fault.T("pages of %q may not call this server; helve mcp --allow-origin allows it", "%q 的网页不得调用本服务器；可用 helve mcp --allow-origin 允许", strings.Join(origin, ", ")))
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", origin[0])
		w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate")
	}
	if r.URL.Path != Path {
		refuse(w, g.lang, http.StatusNotFound, fault.T("the server answers at %s", "服务器的地址路径为 %s", Path))
		return
	}
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" && r.Header.Get("Origin") != "" {
		preflight(w, r)
		return
	}
	if !g.admits(w, r) {
		return
	}
	r.Header.Del("Authorization") // whatever comes after has no use for it
	g.next.ServeHTTP(w, r)
}

// preflight tells a browser what a page may send, before it sends the token.
// https://fetch.spec.whatwg.org/#cors-preflight-fetch
func preflight(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	if headers := r.Header.Get("Access-Control-Request-Headers"); headers != "" {
		w.Header().Set("Access-Control-Allow-Headers", headers)
	}
	w.Header().Set("Access-Control-Max-Age", "600")
	w.Header().Add("Vary", "Access-Control-Request-Headers")
	w.WriteHeader(http.StatusNoContent)
}

// admits reports whether a request shows the token, and answers it if it does not.
// https://www.rfc-editor.org/rfc/rfc6750#section-3
func (g *gate) admits(w http.ResponseWriter, r *http.Request) bool {
	if g.token == nil {
		return true
	}
	sent := r.Header["Authorization"]
	if len(sent) == 1 {
		scheme, token, _ := strings.Cut(sent[0], " ")
		sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
		if subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 && strings.EqualFold(scheme, "Bearer") {
			return true
		}
	}
	challenge := `Bearer realm="helve"`
	if len(sent) > 0 {
		challenge += `, error="invalid_token"`
	}
	w.Header().Set("WWW-Authenticate", challenge)
	refuse(w, g.lang, http.StatusUnauthorized, fault.T("the token is missing or wrong; send that of the server's token file in the header Authorization: Bearer TOKEN", "缺少 token 或 token 有误；请在 Authorization: Bearer TOKEN 头中发送服务器 token 文件中的 token"))
	return false
}

// knows reports whether a request calls the server by one of its names. A literal address
// that the client reached it at is one: no other page can have it as its name.
func (g *gate) knows(r *http.Request) bool {
	name := bare(r.Host)
	if local(name) || slices.Contains(g.hosts, name) {
		return true
	}
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	reached, err := netip.ParseAddrPort(at.String())
	called, err2 := netip.ParseAddr(name)
	return err == nil && err2 == nil && reached.Addr().Unmap() == called.Unmap()
}

// trusts reports whether pages of an origin may call.
func (g *gate) trusts(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	return local(bare(u.Host)) || slices.Contains(g.origins, strings.ToLower(origin))
}

// bare returns a host without its port, and without the brackets of an address.
func bare(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	} else if inner, ok := strings.CutPrefix(host, "["); ok {
		host = strings.TrimSuffix(inner, "]")
	}
	return strings.ToLower(host)
}

// local reports whether a name can lead nowhere but to this machine.
func local(name string) bool {
	if name == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(name)
	return err == nil && a.Zone() == "" && a.Unmap().IsLoopback()
}
