// Package bus carries messages between agents, the hosts that run them, and people,
// through a store: a message that was sent stays until somebody has received it,
// whoever dies meanwhile. It delivers nothing by itself; see package sink.
package bus

import "time"

// Kind is the kind of a message.
type Kind string

// The kinds.
const (
	KindMessage  Kind = "message"  // of an agent, or of a person
	KindReminder Kind = "reminder" // that a job of the schedule sends
	KindResult   Kind = "result"   // of a job or a sub-agent
	KindApproval Kind = "approval" // a request that a person must decide
	KindSystem   Kind = "system"   // of helve itself
	KindEvent    Kind = "event"    // what a program in the background printed, and its end
)

// System is the channel of helve's own messages. No model writes to it.
const System = "system"

// Message is a message on the bus.
type Message struct {
	ID      string     `json:"id"` // ULID
	Seq     uint64     `json:"seq"`
	Channel string     `json:"channel"`          // medium, such as telegram
	To      string     `json:"to"`               // conversation in it
	From    string     `json:"from,omitzero"`    // who sent it, such as a sub-agent
	Session string     `json:"session,omitzero"` // of the sender
	Kind    Kind       `json:"kind"`
	Content string     `json:"content"`
	Media   []File     `json:"media,omitempty"`
	Buttons [][]string `json:"buttons,omitempty"` // answers that the medium may offer, in rows
	ReplyTo string     `json:"reply_to,omitzero"` // id of a message, of helve's or of the medium's
	// DedupeKey identifies the message: a second one with this key to the same
	// conversation is not sent.
	DedupeKey string    `json:"dedupe_key,omitzero"`
	Turn      string    `json:"turn,omitzero"` // of the agent, as the host numbers them
	Origin    *Origin   `json:"origin,omitzero"`
	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is the end of the message's usefulness, after which it is not delivered.
	// Zero is never.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// Only is the one consumer that gets the message, and Again the id of the message
	// that it repeats: it was among the dead letters, and was put back.
	Only  string `json:"only,omitzero"`
	Again string `json:"again,omitzero"`
	// Deliveries counts the deliveries to the consumer that the message is shown to, this
	// one included.
	Deliveries int `json:"deliveries,omitzero"`
}

// Origin identifies the sender of a message, if not a call of an agent, and the
// conversation for which it works.
type Origin struct {
	Kind    string `json:"kind"`            // cron, spawn, approval or exec
	Job     string `json:"job,omitzero"`    // id of the job
	Run     string `json:"run_id,omitzero"` // such as job@2026-01-02T15:04:05Z
	Channel string `json:"channel,omitzero"`
	To      string `json:"to,omitzero"`
	Turn    string `json:"turn,omitzero"`
	Session string `json:"session,omitzero"`
}

// File is a file that comes with a message. Its bytes are kept by their hash, as they
// were when the message was sent.
type File struct {
	Path  string `json:"path"` // as the sender named it, relative to the workspace
	Kept  string `json:"kept"` // absolute path of the bytes as they were sent; "" if they are on another host
	SHA   string `json:"sha"`  // SHA-256, 64 hex digits
	MIME  string `json:"mime"`
	Bytes int64  `json:"bytes"`
	Host  string `json:"host,omitzero"` // that the file was sent from, if hosts share the store
}
