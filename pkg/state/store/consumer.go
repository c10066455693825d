package store

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Consumer is a reader of a stream that remembers how far it has come, so that several
// processes share its work and each message is given to one of them. A message is
// given with a lease: whoever has it acknowledges it with [Consumer.Ack] or gives it
// back with [Consumer.Nak]; if it does neither, because it died, the message is given
// again when the lease has run out. So each message is given at least once.
type Consumer struct {
	Store  Store
	Stream string
	Name   string
	// Filter describes Match. It is kept when the consumer takes its first message;
	// under the same name, another filter is the fault conflict.
	Filter string
	Match  func(*Message) bool // which messages the consumer wants; nil is all
	// Group returns a key for order, such as a conversation: a message is not delivered
	// while an earlier one of its group is leased or waits for another delivery. Nil keeps
	// no order.
	Group func(*Message) string
	Lease time.Duration
	// MaxDeliver limits the deliveries of a message; 0 sets no limit. After that it goes
	// to the stream Dead, as a [Dead].
	MaxDeliver int
	Dead       string
	FromNow    bool // a new consumer begins after the newest message, not with the oldest
	Now        func() time.Time
}

// Delivery is a message delivered to a consumer.
type Delivery struct {
	Message
	Deliveries int       // the number of its deliveries, this one included
	Until      time.Time // the end of the lease, after which others get it, unless it is acknowledged
}

// Dead is a message that nobody could deal with.
type Dead struct {
	Consumer   string    `json:"consumer"`
	ID         string    `json:"id"`
	Seq        uint64    `json:"seq"`
	Deliveries int       `json:"deliveries"`
	At         time.Time `json:"at"`
	Reason     string    `json:"reason,omitzero"`
	Data       []byte    `json:"data"` // the message
}

const (
	// maxOpen limits the messages of a consumer that wait to be acknowledged.
	maxOpen = 1000
	// page is the number of messages read at once.
	page = 100
	// pages limits the pages without a wanted message that one transaction passes over.
	pages = 50
	// unsaved limits the unwanted messages that a consumer passes over before it saves its
	// position.
	unsaved = 50
)

// position is the progress of a consumer.
type position struct {
	Filter string `json:"filter,omitzero"`
	Began  uint64 `json:"began,omitzero"` // the newest message when it began after that
	After  uint64 `json:"after"`          // the last message that was looked at
	Open   []open `json:"open,omitempty"`
}

// open is a message that was looked at and not acknowledged, by their order in the
// stream.
type open struct {
	ID    string    `json:"id"`
	Seq   uint64    `json:"seq"`
	Group string    `json:"group,omitzero"`
	Until time.Time `json:"until,omitzero"` // when it may be given; zero for one that waits for its turn
	Given int       `json:"given,omitzero"` // how often it was
}

// maxConsumer is the longest name of a consumer, in characters: the id of a dead letter
// has it, too.
const maxConsumer = 64

func (c *Consumer) check() error {
	if len(c.Name) > maxConsumer {
		return fault.New(fault.InvalidArguments, fault.T("the name of a consumer has at most %d characters, this one %d", maxConsumer, len(c.Name))).
			WithHint(fault.T("use a shorter name"))
	}
	return CheckName(c.Name)
}

func (c *Consumer) key() string { return "consumers/" + c.Stream + "/" + c.Name }

// load reads the position of the consumer. found says that there is one.
func (c *Consumer) load(r Reader) (p position, found bool, err error) {
	e, err := r.Get(c.key())
	if err != nil {
		return p, false, err
	}
	if e.Revision == 0 {
		p.Filter = c.Filter
		if c.FromNow {
			p.Began, err = r.Last(c.Stream)
			p.After = p.Began
		}
		return p, false, err
	}
	if err := json.Unmarshal(e.Value, &p); err != nil {
		return p, true, fault.New(fault.BadDocument, fault.T("the position of consumer %s cannot be read: %v", c.Name, err)).
			WithHint(fault.T("use another consumer name, or mend the store: helve store check"))
	}
	if p.Filter != c.Filter {
		return p, true, fault.New(fault.Conflict, fault.T("consumer %s takes other messages: it began with %s, not %s", c.Name, quoted(p.Filter), quoted(c.Filter))).
			WithHint(fault.T("use another consumer name for another choice of messages"))
	}
	return p, true, nil
}

// quoted returns a filter as messages show it.
func quoted(filter string) string { return cmp.Or(filter, "*") }

func (c *Consumer) save(tx Tx, p position) error {
	value, err := schema.Marshal(p)
	if err != nil {
		return err
	}
	return tx.Put(c.key(), value)
}
