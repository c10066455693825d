package sink

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

const (
	// beginWithin limits the time for which a call that sends a message goes on to deliver
	// those before it; atOnce limits one delivery.
	beginWithin = 5 * time.Second
	atOnce      = 10 * time.Second
	// workers limits the messages delivered at a time to a program or an address, each of
	// another conversation.
	workers = 4
)

// Opener makes sinks, as their settings say, and their pumps. The host fills it in.
type Opener struct {
	Bus      func() (*bus.Bus, error)
	Dir      func() (string, error)   // in which programs run
	Environ  []string                 // of programs
	Variable func(name string) string // reads a variable of the environment
	Client   func() *web.Client       // for webhooks
}

// Pump returns the pump of a sink. out is standard output.
func (o Opener) Pump(settings *config.Sink, out io.Writer) (*Pump, error) {
	b, err := o.Bus()
	if err != nil {
		return nil, err
	}
	to, err := o.open(settings, out)
	if err != nil {
		return nil, err
	}
	p := &Pump{
		Bus: b, Name: settings.Name, Sink: to, Timeout: time.Duration(settings.Timeout) * time.Second,
		Filter: bus.Filter{Channel: settings.Channel, To: settings.To, NoSystem: settings.Channel == ""},
	}
	if settings.Kind == "command" || settings.Kind == "webhook" {
		p.Workers = workers
	}
	return p, nil
}

// AtOnce delivers a message to those of the sinks that want it at once. Earlier messages
// that wait for the same sink are delivered before it.
func (o Opener) AtOnce(ctx context.Context, sinks []config.Sink, m bus.Message) (bus.Delivery, error) {
	all := bus.DeliveryQueued
	for i := range sinks {
		if !sinks[i].AtOnce {
			continue
		}
		one, err := o.deliver(ctx, sinks[i], m)
		if err != nil {
			return bus.DeliveryFailed, err
		}
		if one == bus.DeliveryDelivered {
			all = one
		}
	}
	return all, nil
}

// deliver delivers a message to a sink; queued, if the sink does not want it, or another
// process has it.
func (o Opener) deliver(ctx context.Context, settings config.Sink, m bus.Message) (bus.Delivery, error) {
	settings.Timeout = min(settings.Timeout, int(atOnce/time.Second))
	p, err := o.Pump(&settings, io.Discard)
	if err != nil {
		return "", err
	}
	if !p.Filter.Takes(&m) {
		return bus.DeliveryQueued, nil
	}
	ctx, cancel := context.WithTimeout(ctx, beginWithin)
	defer cancel()
	p.Workers = 1
	result := bus.DeliveryQueued
	var why *fault.Error
	p.Report = func(e Event) {
		if e.Message.ID != m.ID {
			return
		}
		cancel()
		if result, why = bus.DeliveryDelivered, e.Err; why != nil {
			result = bus.DeliveryFailed
		}
	}
	if err := p.Run(ctx, true); err != nil {
		return "", err
	}
	if why != nil {
		return result, why
	}
	return result, nil
}

// open returns a sink as its settings say.
func (o Opener) open(settings *config.Sink, out io.Writer) (Sink, error) {
	timeout := time.Duration(settings.Timeout) * time.Second
	switch settings.Kind {
	case config.Stdout:
		return NewLines(out), nil
	case "file":
		return &File{Path: settings.Path}, nil
	case "command":
		dir, err := o.Dir()
		if err != nil {
			return nil, err
		}
		return &Command{Argv: settings.Argv, Dir: dir, Env: o.Environ, Timeout: timeout}, nil
	}
	keys, err := o.signingKeys(settings)
	if err != nil {
		return nil, err
	}
	return &Webhook{Client: o.Client(), URL: settings.URL, Keys: keys, Timeout: timeout, Now: time.Now}, nil
}

// signingKeys reads the keys of a webhook; none, if its settings name none.
func (o Opener) signingKeys(settings *config.Sink) ([]Key, error) {
	switch {
	case settings.SecretEnv != "":
		return Keys(o.Variable(settings.SecretEnv), settings.SecretEnv)
	case settings.SecretFile != "":
		text, err := config.Read(config.File{Source: config.User, Path: settings.SecretFile})
		if err != nil {
			return nil, err
		}
		return Keys(string(text), settings.SecretFile)
	}
	return nil, nil
}

// Named returns the sink with a name. The sink stdout needs no setting.
func Named(sinks []config.Sink, name string) ([]config.Sink, error) {
	names := []string{config.Stdout}
	for _, one := range sinks {
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
