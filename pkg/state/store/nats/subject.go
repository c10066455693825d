package nats

import "strings"

// subjects names what a namespace has on the server. In subjects the parts of a key
// stand between dots, and a tilde, which no name has, stands for a dot in a name.
type subjects struct {
	namespace string
	domain    string // of JetStream; "" is that of the server
}

// stream is the name of the stream that holds all.
func (s subjects) stream() string { return "helve-" + s.namespace }

// bell returns the subject on which the server repeats each stored message without its data.
func (s subjects) bell() string { return s.prefix() + "bell.>" }

// api returns the subject of a request about the stream.
func (s subjects) api(request string) string {
	if s.domain != "" {
		return "$JS." + s.domain + ".API." + request + "." + s.stream()
	}
	return "$JS.API." + request + "." + s.stream()
}

func (s subjects) prefix() string { return "helve." + s.namespace + "." }

// all are the subjects of the stream: of keys, messages, heads and transactions.
func (s subjects) all() []string {
	p := s.prefix()
	return []string{p + "k.>", p + "m.*.*", p + "h.*", p + "t.*"}
}

func (s subjects) key(key string) string { return s.prefix() + "k." + encode(key) }

// keys matches the keys below a prefix.
func (s subjects) keys(prefix string) string { return s.prefix() + "k." + encode(prefix) + ">" }

func (s subjects) message(stream, id string) string {
	return s.prefix() + "m." + encode(stream) + "." + encode(id)
}

// messages matches the messages of a stream.
func (s subjects) messages(stream string) string { return s.prefix() + "m." + encode(stream) + ".*" }

// head returns the subject that keeps the last sequence number of a stream once its newest
// message was removed.
func (s subjects) head(stream string) string { return s.prefix() + "h." + encode(stream) }

// transaction returns the subject that keeps the outcome of a transaction for a while.
func (s subjects) transaction(id string) string { return s.prefix() + "t." + id }

// keyOf returns the key that a subject is of.
func (s subjects) keyOf(subject string) (string, bool) {
	rest, ok := strings.CutPrefix(subject, s.prefix()+"k.")
	return decode(rest), ok
}

// idOf returns the id of the message of a stream that a subject is of.
func (s subjects) idOf(stream, subject string) (string, bool) {
	rest, ok := strings.CutPrefix(subject, s.prefix()+"m."+encode(stream)+".")
	return decode(rest), ok
}

func encode(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, ".", "~"), "/", ".")
}

func decode(subject string) string {
	return strings.ReplaceAll(strings.ReplaceAll(subject, ".", "/"), "~", ".")
}
