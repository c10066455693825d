package desk

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web/gate"
)

// The door lets nobody in but the person's own page:
//
//	host     the request calls this machine by an address: a foreign page whose name
//	         was made to lead here has another
//	process  helve did not start the process at the other end of the connection
//	frame    the page is a page of its own, and in no other one
//	origin   what asks is a page of this server, or no page
//	token    it shows the token, which only the person was given
//
// The page itself, without any data, is served without the token: its script reads the
// token from the fragment of the address, which browsers send to nobody.

// page is the policy for what the server sends: nothing but its own scripts and styles
// runs or is loaded, and nothing can show it inside of another page.
var page = [...][2]string{
	{"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"},
	{"X-Frame-Options", "DENY"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Embedder-Policy", "require-corp"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	{"Cache-Control", "no-store"},
}

// peerKey is the key of the verdict about the other end in a connection's context.
type peerKey struct{}

// connected notes who is at the other end of a connection. It is found out at the first
// request, as a connection is not complete before.
func (d *Desk) connected(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, peerKey{}, sync.OnceValue(func() fault.Text { return d.Peer(c) }))
}

// door is the handler in front of all others.
func (d *Desk) door(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, one := range page {
			w.Header().Set(one[0], one[1])
		}
		if !gate.Local(gate.Bare(r.Host)) {
			d.refuse(w, fault.New(fault.Denied, fault.T("%q is not a name of this server", r.Host)))
			return
		}
		if peer, ok := r.Context().Value(peerKey{}).(func() fault.Text); ok {
			if why := peer(); !why.IsZero() {
				d.refuse(w, fault.New(fault.Denied, why).WithHint(fault.T("only a browser of the person's own can open the desk")))
				return
			}
		}
		switch r.Header.Get("Sec-Fetch-Dest") {
		case "iframe", "frame", "embed", "object", "fencedframe":
			d.refuse(w, fault.New(fault.Denied, fault.T("the desk is shown in no other page")))
			return
		}
		if origin, sent := r.Header["Origin"]; sent && (len(origin) != 1 || origin[0] != "http://"+r.Host) {
			d.refuse(w, fault.New(fault.Denied, fault.T("pages of %q may not call the desk", strings.Join(origin, ", "))))
			return
		}
		if !strings.HasPrefix(r.URL.Path, apiPath) {
			next.ServeHTTP(w, r)
			return
		}
		switch r.Header.Get("Sec-Fetch-Site") {
		case "", "same-origin":
		default:
			d.refuse(w, fault.New(fault.Denied, fault.T("other pages may not call the desk")))
			return
		}
		if r.URL.Path != ticketPath && !d.sum.Shown(r) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="helve"`)
			d.fail(w, http.StatusUnauthorized, fault.New(fault.Denied, fault.T("the token is missing or wrong")).
				WithHint(fault.T("open the address that helve desk printed")))
			return
		}
		r.Header.Del("Authorization") // whatever comes after has no use for it
		next.ServeHTTP(w, r)
	})
}

// refuse answers whoever may not call.
func (d *Desk) refuse(w http.ResponseWriter, e *fault.Error) { d.fail(w, http.StatusForbidden, e) }
