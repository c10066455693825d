package dialect

import (
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule/zone"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// context takes {"context":{"session","channel","chat","turn","timezone"}} off a document,
// and unwraps {"calls": …}, the form in which an array can have one. "to" and "chat_id" are
// other words for chat, and an id may be a number. An empty member keeps the value that the
// process was started with. The fault for a wrong context is invalid_arguments; the calls
// beside it can be read all the same.
func (d document) context() (_ document, o tool.Origin, err error) {
	raw := d.object.object("context")
	// Azure's messages have a context of their own.
	if !d.object.has("context") || raw.has("citations") || raw.has("intent") {
		return d, o, nil
	}
	if d.object.has("calls") {
		d = open(d.object["calls"])
	}
	if raw == nil {
		return d, o, badContext(fault.T("context is not an object"))
	}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		if err := setOrigin(&o, raw, name); err != nil {
			return d, o, err
		}
	}
	if o.Session != "" {
		err = state.CheckSession(o.Session)
	}
	if o.Timezone != "" && err == nil {
		_, err = zone.Load(o.Timezone)
	}
	return d, o, err
}

// setOrigin sets what one member of a context says.
func setOrigin(o *tool.Origin, raw members, name string) error {
	var field *string
	switch name {
	case "session":
		field = &o.Session
	case "channel":
		field = &o.Channel
	case "chat", "to", "chat_id":
		field = &o.Chat
	case "turn":
		field = &o.Turn
	case "timezone":
		field = &o.Timezone
	default:
		return badContext(fault.T("context has no %q", name))
	}
	if !raw.has(name) {
		return nil
	}
	value := raw.text(name)
	if !startsWith(raw[name], '"') {
		if value = string(raw[name]); strings.Trim(value, "-0123456789") != "" || name == "timezone" {
			return badContext(fault.T("context.%s is neither a string nor a whole number", name))
		}
	}
	if *field != "" && *field != value {
		return badContext(fault.T("context.chat, context.to and context.chat_id differ"))
	}
	if strings.ContainsRune(value, 0) {
		return badContext(fault.T("context.%s contains a NUL", name))
	}
	*field = value
	return nil
}

func badContext(what fault.Text) *fault.Error {
	return fault.New(fault.InvalidArguments, what).
		WithHint(fault.T(`it is {"session":"…","channel":"…","chat":"…","turn":"…","timezone":"…"}, each optional`))
}
