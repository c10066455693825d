package host

import (
	"context"
	"io"
	"os"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// Pumps returns the pump of the sink with a name, or those of all sinks of the settings.
// out is standard output, and streams says that one of them writes there. The sink
// stdout needs no setting.
func (h *Host) Pumps(name string, out io.Writer) (pumps []*sink.Pump, streams bool, warnings []fault.Text, err error) {
	env, s, err := h.Governed()
	if err != nil {
		return nil, false, nil, err
	}
	b, err := h.Bus()
	if err != nil {
		return nil, false, nil, err
	}
	chosen := s.Config.Messages.Sinks
	if name != "" {
		if chosen, err = sink.Named(chosen, name); err != nil {
			return nil, false, nil, err
		}
	}
	if len(chosen) == 0 {
		return nil, false, nil, fault.New(fault.NotConfigured, fault.T("there is no sink to deliver messages to")).
			WithHint(fault.T(`add one to messages.sinks in the person's configuration, such as {"name":"log","kind":"file","path":"messages.ndjson"}; or pass --sink stdout`))
	}
	opener := s.sinks(func() (*bus.Bus, error) { return b, nil })
	for i := range chosen {
		one, err := opener.Pump(&chosen[i], out)
		if err != nil {
			return nil, false, nil, err
		}
		streams = streams || chosen[i].Kind == config.Stdout
		pumps = append(pumps, one)
	}
	return pumps, streams, env.Notices, nil
}

// delivery returns the function that delivers a message to the sinks that want it at
// once.
func (s *Settings) delivery() func() (bus.Deliver, error) {
	return func() (bus.Deliver, error) {
		return func(ctx context.Context, m bus.Message) (bus.Delivery, error) {
			return s.sinks(s.bus()).AtOnce(ctx, s.Config.Messages.Sinks, m)
		}, nil
	}
}

// sinks returns what makes sinks of the settings.
func (s *Settings) sinks(b func() (*bus.Bus, error)) sink.Opener {
	return sink.Opener{
		Bus: b, Environ: os.Environ(), Variable: os.Getenv,
		Dir: func() (string, error) {
			root, err := s.home.Root()
			if err != nil {
				return "", err
			}
			return root.Dir(), nil
		},
		// The person chose the address: the policy about hosts is for the model.
		Client: func() *web.Client {
			return web.New(web.Options{AllowPrivate: s.Config.Web.AllowPrivate, Allow: s.Config.Web.Blocks(), Proxy: proxies(s.Config.Web.Proxy)})
		},
	}
}
