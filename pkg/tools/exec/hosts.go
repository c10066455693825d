package exec

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
)

// reachable says what a command reaches in the network [sandbox.Hosts], and by what.
type reachable struct {
	client  *web.Client         // nil where there is no such network
	listed  policy.Destinations // by the settings
	granted policy.Destinations // for this command
	asked   []string            // hosts that the policy was asked about
	port    uint16              // of the proxy in its network
	gateway *web.Gateway        // once it runs
}

// Ports of proxies are between those that servers usually have and those that the kernel gives
// to clients.
const firstPort, lastPort = 20_000, 32_000

// findReachable returns what the command may reach by name.
func (r *request) findReachable(call *tool.Call) {
	if r.Kind != sandbox.Namespaces || r.args.Background {
		return
	}
	if r.Machine.Settings.Network != "none" && r.Machine.Settings.Network != "local" {
		r.listed = policy.ParseDestinations(r.Machine.Settings.Hosts)
	}
	if len(r.listed) > 0 || r.args.Network == string(sandbox.Hosts) {
		r.findClient(call)
	}
}

// findClient finds what connects for the command.
func (r *request) findClient(call *tool.Call) {
	client, err := tool.Service[*web.Client](call.Env)
	if err != nil {
		return
	}
	r.client = client
	r.port = uint16(firstPort + rand.IntN(lastPort-firstPort)) //nolint:gosec // no secret, and not larger
}

// proxy returns the address of the proxy in the network of the command; "" is none.
func (r *request) proxy() string {
	if r.network != sandbox.Hosts || r.client == nil {
		return ""
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(int(r.port)))
}

// connect has the command reach its hosts, once it runs.
func (r *request) connect(call *tool.Call, c *run.Command) {
	if r.proxy() == "" {
		return
	}
	also := c.Started
	c.Started = func() {
		if also != nil {
			also()
		}
		if l := c.Sandbox.Listener(); l != nil {
			r.gateway = r.client.Outlet(r.outlet(call), l)
		}
	}
}

// disconnect ends what connect began, and puts what was refused into a result.
func (r *request) disconnect(call *tool.Call, res *Result) {
	g := r.gateway
	if g == nil {
		return
	}
	r.gateway = nil
	_ = g.Close() // nobody is left who could notice
	all := g.Refused()
	if len(all) > 0 { // which say more than what the output complains about
		res.Denials = slices.DeleteFunc(res.Denials, func(d Denial) bool {
			return d.Op == "network" && (d.Path == "" || slices.ContainsFunc(all, func(r web.Refusal) bool { return r.Host == d.Path }))
		})
	}
	for _, refused := range all {
		d := Denial{Op: "connect", Host: refused.Host, Port: int(refused.Port), Rule: "exec.hosts"}
		f := fault.As(refused.Err)
		if f.Code == fault.BlockedAddress {
			d.Rule = "address"
		}
		d.Fix = f.Message.In(call.Env.Lang)
		if !f.Hint.IsZero() {
			d.Fix += ": " + f.Hint.In(call.Env.Lang)
		}
		res.Denials = append(res.Denials, d)
	}
}

// outlet returns what the command may connect to.
func (r *request) outlet(call *tool.Call) web.Outlet {
	all := slices.Concat(r.listed, r.granted)
	return web.Outlet{
		Lang:  call.Env.Lang,
		Named: func(a netip.Addr) bool { return all.Names(a) },
		Allow: func(_ context.Context, host string, port uint16) error {
			if p := call.Env.Policy; p != nil {
				if err := p.Reach(host, slices.Contains(r.asked, host)); err != nil {
					return err
				}
			}
			if all.Allows(host, port) {
				return nil
			}
			return r.notListed(policy.Destination{Host: host, Port: port})
		},
	}
}

// notListed is the fault of a host that the command may not connect to.
func (r *request) notListed(d policy.Destination) error {
	if d.Port == 80 || d.Port == 443 {
		d.Port = 0
	}
	list, err := json.Marshal(append(slices.Clone(r.Machine.Settings.Hosts), d.String()))
	if err != nil {
		return fault.As(err)
	}
	return fault.New(fault.Denied, fault.T("commands may not connect to %s", d.String())).
		WithHint(fault.T("a person allows it with: helve config set exec.hosts '%s'; or ask for network=full, which a person must approve", string(list)))
}

// named reports whether it shows which hosts the command reaches, and whether it can have a
// network of these alone.
func (r *request) named(call *tool.Call) bool {
	if r.client == nil && r.Kind == sandbox.Namespaces && !r.args.Background && r.Machine.Settings.Network != "none" && r.Machine.Settings.Network != "local" {
		if _, known := r.destinations(); known {
			r.findClient(call)
		}
	}
	_, known := r.destinations()
	return known && r.client != nil
}

// destinations returns the hosts that the command names; false if one of its parts does not
// show which it reaches.
func (r *request) destinations() (all policy.Destinations, known bool) {
	for _, c := range r.verdict.Commands {
		if !c.Network {
			continue
		}
		found, ok := classify.Destinations(c.Argv)
		if !ok {
			return nil, false
		}
		all = append(all, found...)
	}
	return all, len(all) > 0 && !r.verdict.Rest.Network
}

// hasHosts adds to the judgement of a command the hosts that it names, and reports whether it
// may reach all of them without a question. A yes lets it reach the others, too.
func (r *request) hasHosts(j *tool.Judgement) bool {
	all, known := r.destinations()
	for _, d := range all {
		if r.asked = append(r.asked, d.Host); !r.lists(d) && !slices.Contains(r.granted, d) {
			r.granted = append(r.granted, d)
		}
	}
	j.Hosts = r.asked
	return len(r.granted) == 0 && (known || r.args.Network != "" || !r.verdict.Network)
}

// lists reports whether the settings list a destination with all of its ports.
func (r *request) lists(d policy.Destination) bool {
	if d.Port == 0 {
		return r.listed.Allows(d.Host, 80) && r.listed.Allows(d.Host, 443)
	}
	return r.listed.Allows(d.Host, d.Port)
}
