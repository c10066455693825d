package host

import (
	"io"
	"os"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// workers limits the messages delivered at a time to a program or an address, each of
// another conversation.
const workers = 4

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
		if chosen, err = s.sink(name); err != nil {
			return nil, false, nil, err
		}
	}
	if len(chosen) == 0 {
		return nil, false, nil, fault.New(fault.NotConfigured, fault.T("there is no sink to deliver messages to")).
			WithHint(fault.T(`add one to messages.sinks in the person's configuration, such as {"name":"log","kind":"file","path":"messages.ndjson"}; or pass --sink stdout`))
	}
	for i := range chosen {
		one, err := s.open(&chosen[i], out)
		if err != nil {
			return nil, false, nil, err
		}
		streams = streams || chosen[i].Kind == config.Stdout
		pumps = append(pumps, pumpOf(b, &chosen[i], one))
	}
	return pumps, streams, env.Notices, nil
}

// sink returns the sink with a name.
func (s *Settings) sink(name string) ([]config.Sink, error) {
	names := []string{config.Stdout}
	for _, one := range s.Config.Messages.Sinks {
		if one.Name == name {
			return []config.Sink{one}, nil
		}
		names = append(names, one.Name)
	}
	if name == config.Stdout {
		return []config.Sink{{Name: config.Stdout, Kind: config.Stdout, Timeout: 30}}, nil
	}
	return nil, fault.New(fault.NotConfigured, fault.T("there is no sink %q", name)).
		WithHint(fault.T("the sinks of messages.sinks are: %s", strings.Join(names, ", ")))
}

func pumpOf(b *bus.Bus, settings *config.Sink, s sink.Sink) *sink.Pump {
	p := &sink.Pump{
		Bus: b, Name: settings.Name, Sink: s, Timeout: time.Duration(settings.Timeout) * time.Second,
		Filter: bus.Filter{Channel: settings.Channel, To: settings.To, NoSystem: settings.Channel == ""},
	}
	if settings.Kind == "command" || settings.Kind == "webhook" {
		p.Workers = workers
	}
	return p
}

// open returns a sink as its settings say.
func (s *Settings) open(settings *config.Sink, out io.Writer) (sink.Sink, error) {
	timeout := time.Duration(settings.Timeout) * time.Second
	switch settings.Kind {
	case config.Stdout:
		return sink.NewLines(out), nil
	case "file":
		return &sink.File{Path: settings.Path}, nil
	case "command":
		root, err := s.home.Root()
		if err != nil {
			return nil, err
		}
		return &sink.Command{Argv: settings.Argv, Dir: root.Dir(), Env: os.Environ(), Timeout: timeout}, nil
	}
	keys, err := signingKeys(settings)
	if err != nil {
		return nil, err
	}
	// The person chose the address: the policy about hosts is for the model.
	client := web.New(web.Options{AllowPrivate: s.Config.Web.AllowPrivate, Allow: s.Config.Web.Blocks(), Proxy: proxies(s.Config.Web.Proxy)})
	return &sink.Webhook{Client: client, URL: settings.URL, Keys: keys, Timeout: timeout, Now: time.Now}, nil
}

// signingKeys reads the keys of a webhook; none, if its settings name none.
func signingKeys(settings *config.Sink) ([]sink.Key, error) {
	switch {
	case settings.SecretEnv != "":
		return sink.Keys(os.Getenv(settings.SecretEnv), settings.SecretEnv)
	case settings.SecretFile != "":
		text, err := config.Read(config.File{Source: config.User, Path: settings.SecretFile})
		if err != nil {
			return nil, err
		}
		return sink.Keys(string(text), settings.SecretFile)
	}
	return nil, nil
}
