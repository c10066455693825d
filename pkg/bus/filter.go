package bus

import (
	"net/url"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Filter chooses messages. An empty field takes all.
type Filter struct {
	Channel string
	To      string
	Session string
	Turn    string
	Kind    Kind
	// NoSystem leaves out helve's own channel.
	NoSystem bool
}

// String returns the filter as consumers keep it, such as channel=telegram&to=42; "" takes
// all.
func (f Filter) String() string {
	v := url.Values{}
	for _, one := range []struct{ name, value string }{
		{"channel", f.Channel}, {"to", f.To}, {"session", f.Session}, {"turn", f.Turn}, {"kind", string(f.Kind)},
	} {
		if one.value != "" {
			v.Set(one.name, one.value)
		}
	}
	if f.NoSystem {
		v.Set("system", "no")
	}
	return v.Encode()
}

// parseFilter reads what String returned.
func parseFilter(text string) (Filter, error) {
	v, err := url.ParseQuery(text)
	return Filter{v.Get("channel"), v.Get("to"), v.Get("session"), v.Get("turn"), Kind(v.Get("kind")), v.Get("system") == "no"}, err
}

// Takes reports whether the filter chooses a message.
func (f Filter) Takes(m *Message) bool {
	is := func(want, have string) bool { return want == "" || want == have }
	return is(f.Channel, m.Channel) && is(f.To, m.To) && is(f.Session, m.Session) && is(f.Turn, m.Turn) && is(string(f.Kind), string(m.Kind)) &&
		(!f.NoSystem || m.Channel != System)
}

// check refuses what no message can have, so that nobody waits in vain.
func (f Filter) check() error {
	if f.Channel != "" {
		if err := CheckChannel(f.Channel); err != nil {
			return err
		}
	}
	for _, one := range []struct{ name, value string }{{"to", f.To}, {"session", f.Session}, {"turn", f.Turn}} {
		if !isLine(one.value) {
			return schema.Invalid("/"+one.name, fault.T("want one line of up to %d bytes", maxLine)).
				WithHint(fault.T("helve messages channels lists the conversations"))
		}
	}
	return nil
}
