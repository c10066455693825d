package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
)

// Servers are servers that commands of the caller's session run on a loopback of their own,
// which is not the machine's. They are the one exception to what [guard] refuses, for
// addresses that the caller names itself: no page and no redirect leads there from
// elsewhere. Nor does anything lead from there to elsewhere, as whoever wrote such a server
// may have no network.
type Servers interface {
	// Any reports whether there can be any.
	Any() bool
	// Connect connects to an address of the loopback.
	Connect(context.Context, netip.AddrPort) (net.Conn, error)
	// Listening says what listens there; it is empty if that is not known.
	Listening() fault.Text
}

// onLoopback reports whether a normalised host is this machine by its name or address.
func onLoopback(host string) bool {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Zone() == "" && a.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// serves reports whether an address is that of a server of the session.
func (c *Client) serves(u *url.URL) bool {
	return c.opt.Servers != nil && onLoopback(u.Hostname()) && c.opt.Servers.Any()
}

// stayInside refuses an address outside of the session's network, for an exchange that
// began inside.
func (x *exchange) stayInside() error {
	if onLoopback(x.at.Hostname()) {
		return nil
	}
	return blocked(fault.T("a server of this session leads to %s", x.at.Hostname())).
		WithHint(fault.T("fetch that address itself")).WithDetails(Blocked{Host: x.at.Hostname()})
}

// aboutServers adds to the refusal of a loopback that the session has none of its own.
func (x *exchange) aboutServers(err *fault.Error) error {
	if err.Code != fault.BlockedAddress || x.inside || x.client.opt.Servers == nil || !onLoopback(x.first.Hostname()) {
		return err
	}
	return err.WithHint(fault.T("no job of this session runs that has a loopback of its own: start the server by exec with background=true, where commands run in namespaces; ask any other by a command such as curl. Only the person can allow the machine's own, with web.allow_private"))
}

// nothingListens is the fault of an address of the session's network.
func (c *Client) nothingListens(at *url.URL, err error) *fault.Error {
	hint := c.opt.Servers.Listening()
	if hint.IsZero() {
		hint = fault.T("check the port, or try again later")
	}
	return unavailable(fault.T("nothing listens at %s in this session's network", at.Host)).WithHint(hint).Because(err)
}

// ofSession returns a transport to the servers of the session. It keeps no connection, as
// the next one may have to go to another server.
func (c *Client) ofSession() *http.Transport {
	t := c.transport()
	t.DisableKeepAlives = true
	t.DialContext = func(ctx context.Context, _, address string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, connectTimeout)
		defer cancel()
		return c.dialSession(ctx, address)
	}
	return t
}

// dialSession connects to a server of the session, by both protocols if the host is a name.
// Where nothing listens, what the person allows of the machine's own loopback is meant.
func (c *Client) dialSession(ctx context.Context, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addresses := []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	if a, err := netip.ParseAddr(host); err == nil {
		addresses = []netip.Addr{a}
	}
	var refused error
	for _, a := range addresses {
		to := netip.AddrPortFrom(a, uint16(atoi(port)))
		conn, err := c.opt.Servers.Connect(ctx, to)
		if err == nil || !errors.Is(err, syscall.ECONNREFUSED) {
			return conn, err
		}
		refused = err
	}
	for _, a := range addresses {
		if c.guard.checkAddress(host, a) == nil {
			d := net.Dialer{ControlContext: c.guard.control(host)}
			if conn, err := d.DialContext(ctx, "tcp", netip.AddrPortFrom(a, uint16(atoi(port))).String()); err == nil {
				return conn, nil
			}
		}
	}
	return nil, refused
}
