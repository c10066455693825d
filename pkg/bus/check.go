package bus

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

const (
	maxChannel = 64        // characters of the name of a channel
	maxLine    = 256       // bytes of a conversation, a sender, a key and the like
	maxContent = 128 << 10 // bytes
	maxButtons = 20
	// maxEncoded limits the bytes of an encoded message. A dead letter contains it in
	// Base64, a third longer, with a reason, and must fit into the store as well: a
	// message that cannot become one would block its consumer.
	maxEncoded = 360 << 10
)

// CheckChannel returns the fault of a name that no channel can have, which is
// invalid_arguments.
func CheckChannel(name string) error {
	plain := func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("._-", c)
	}
	if name != "" && len(name) <= maxChannel && strings.TrimFunc(name, plain) == "" && !strings.ContainsFunc(name, func(c rune) bool { return !plain(c) }) {
		return nil
	}
	return schema.Invalid("/channel", fault.T("not a name of a channel: %q", name)).
		WithHint(fault.T("a channel is a medium such as telegram or email: 1 to %d of a-z A-Z 0-9 . _ and -; the conversation in it goes into to", maxChannel))
}

// Check returns the fault of a message that Send would refuse; files is the number of
// files it will have.
func (m *Message) Check(files int) error {
	if err := CheckChannel(m.Channel); err != nil {
		return err
	}
	if m.To == "" {
		return schema.Invalid("/to", fault.T("is missing: the conversation in %s", m.Channel)).
			WithHint(fault.T("pass to, such as a chat id, or set HELVE_CHAT"))
	}
	var o Origin
	if m.Origin != nil {
		o = *m.Origin
	}
	for _, line := range []struct{ name, value string }{
		{"origin/channel", o.Channel}, {"origin/to", o.To}, {"origin/turn", o.Turn}, {"origin/session", o.Session},
		{"to", m.To}, {"from", m.From}, {"session", m.Session}, {"reply_to", m.ReplyTo}, {"dedupe_key", m.DedupeKey}, {"turn", m.Turn},
	} {
		if !isLine(line.value) {
			return schema.Invalid("/"+line.name, fault.T("want one line of up to %d bytes", maxLine)).
				WithHint(fault.T("pass an id or a name, and put text into content"))
		}
	}
	if strings.TrimSpace(m.Content) == "" && files == 0 {
		return schema.Invalid("/content", fault.T("is empty")).WithHint(fault.T("say what to send"))
	}
	if !utf8.ValidString(m.Content) {
		return schema.Invalid("/content", fault.T("is not UTF-8")).WithHint(fault.T("send text; a file goes into media"))
	}
	if len(m.Content) > maxContent {
		return fault.New(fault.TooLarge, fault.T("content has %d bytes, at most %d are sent", len(m.Content), maxContent)).
			WithHint(fault.T("write it to a file, pass that in media, and send a summary"))
	}
	return m.checkButtons()
}

func (m *Message) checkButtons() error {
	n := 0
	for _, row := range m.Buttons {
		for _, label := range row {
			if n++; n > maxButtons || strings.TrimSpace(label) == "" || !isLine(label) {
				return schema.Invalid("/buttons", fault.T("want at most %d short labels", maxButtons)).
					WithHint(fault.T(`rows of labels, such as [["Yes","No"]]`))
			}
		}
	}
	return nil
}

// isLine reports whether s is one line of text, or empty.
func isLine(s string) bool {
	return len(s) <= maxLine && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
