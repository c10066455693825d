package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
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
	// Group returns what is to stay in order, such as a conversation: a message is not
	// given while an earlier one of its group is with somebody else, or waits to be given
	// again. Nil keeps no order.
	Group func(*Message) string
	Lease time.Duration
	// MaxDeliver is how often a message is given; 0 is without end. After that it goes to
	// Dead, a stream, as a [Dead].
	MaxDeliver int
	Dead       string
	FromNow    bool // a new consumer begins after the newest message, not with the oldest
	Now        func() time.Time
}

// Delivery is a message that a consumer was given.
type Delivery struct {
	Message
	Deliveries int       // how often it was given, this time included
	Until      time.Time // when it is given to others, unless it is acknowledged
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
	// maxOpen is how many messages of a consumer may wait to be acknowledged.
	maxOpen = 1000
	// page is how many messages are read at once.
	page = 100
	// pages is how many pages without a message that a consumer wants one transaction
	// passes over.
	pages = 50
	// unsaved is how many messages that a consumer does not want it passes over before
	// it notes its place.
	unsaved = 50
)

// position is how far a consumer has come.
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
		return fault.New(fault.InvalidArguments, fault.T("the name of a consumer has at most %d characters, this one %d", "消费者名称最多 %d 个字符，此名称有 %d 个", maxConsumer, len(c.Name))).
			WithHint(fault.T("use a shorter name", "请使用更短的名称"))
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
		return p, true, fault.New(fault.BadDocument, fault.T("the position of consumer %s cannot be read: %v", "无法读取消费者 %s 的位置：%v", c.Name, err)).
			WithHint(fault.T("use another consumer name, or mend the store: helve store check", "请换一个消费者名称，或修复存储：helve store check"))
	}
	if p.Filter != c.Filter {
		return p, true, fault.New(fault.Conflict, fault.T("consumer %s takes other messages: it began with %s, not %s", "消费者 %s 接收的是其他消息：它以 %s 开始，而不是 %s", c.Name, quoted(p.Filter), quoted(c.Filter))).
			WithHint(fault.T("use another consumer name for another choice of messages", "选择其他消息时请使用另一个消费者名称"))
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

// Claim takes up to most messages. With ack they count as acknowledged at once, and are
// lost if the caller dies before it has dealt with them.
func (c *Consumer) Claim(ctx context.Context, most int, ack bool) ([]Delivery, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	most = max(1, most)
	for {
		idle := false
		err := c.Store.View(ctx, func(r Reader) (err error) {
			idle, err = c.idle(r)
			return err
		})
		if err != nil || idle {
			return nil, err
		}
		var taken []Delivery
		more := false
		err = c.Store.Update(ctx, func(tx Tx) (err error) {
			taken, more, err = c.claim(tx, most, ack)
			return err
		})
		if err != nil {
			return nil, err // what was taken is not noted
		}
		if len(taken) > 0 || !more {
			return taken, nil
		}
	}
}

// idle reports whether there is nothing to take and nothing to note, so that whoever
// waits does not write.
func (c *Consumer) idle(r Reader) (bool, error) {
	p, found, err := c.load(r)
	if err != nil || !found {
		return false, err
	}
	now := c.Now()
	for _, o := range p.Open {
		if !now.Before(o.Until) && !blocked(p.Open, o, now, nil) {
			return false, nil
		}
	}
	if len(p.Open) >= maxOpen {
		return true, nil
	}
	next, err := r.Read(c.Stream, p.After, unsaved)
	if err != nil {
		return false, err
	}
	return len(next) < unsaved && !slices.ContainsFunc(next, func(m Message) bool { return c.wants(&m) }), nil
}

func (c *Consumer) wants(m *Message) bool { return c.Match == nil || c.Match(m) }

// claim takes messages: first those that are to be given again, then new ones. more
// says that there may be others although none was taken.
func (c *Consumer) claim(tx Tx, most int, ack bool) (taken []Delivery, more bool, err error) {
	p, _, err := c.load(tx)
	if err != nil {
		return nil, false, err
	}
	now := c.Now()
	mine := map[uint64]bool{} // taken now
	ended := 0                // dead letters made now
	kept := make([]open, 0, len(p.Open)+most)
	for _, o := range p.Open {
		if len(taken) >= most || now.Before(o.Until) || blocked(p.Open, o, now, mine) {
			kept = append(kept, o)
			continue
		}
		last := c.MaxDeliver > 0 && o.Given >= c.MaxDeliver
		if last && ended == page { // a transaction has room for so many writes
			kept, more = append(kept, o), true
			continue
		}
		m, err := tx.Find(c.Stream, o.ID)
		if err != nil {
			return nil, false, err
		}
		mine[o.Seq] = true
		switch {
		case m == nil: // it was removed meanwhile
			more = true
			continue
		case last:
			ended++
			if err := c.bury(tx, m, o.Given, ""); err != nil {
				return nil, false, err
			}
			more = true
			continue
		}
		o.Given++
		o.Until = now.Add(c.Lease)
		taken = append(taken, Delivery{*m, o.Given, o.Until})
		if !ack {
			kept = append(kept, o)
		}
	}
	p.Open = kept
	if len(taken) < most {
		passed, err := c.advance(tx, &p, most, ack, now, &taken)
		if err != nil {
			return nil, false, err
		}
		more = more || passed
	}
	return taken, more, c.save(tx, p)
}

// advance takes new messages, of the first page of the stream that has some. more says
// that there are others after it.
func (c *Consumer) advance(tx Tx, p *position, most int, ack bool, now time.Time, taken *[]Delivery) (more bool, err error) {
	for range pages {
		before := len(*taken)
		more, err = c.turn(tx, p, most, ack, now, taken)
		if err != nil || !more || len(*taken) > before {
			return more, err
		}
	}
	return more, nil
}

// turn takes new messages of one page.
func (c *Consumer) turn(tx Tx, p *position, most int, ack bool, now time.Time, taken *[]Delivery) (more bool, err error) {
	next, err := tx.Read(c.Stream, p.After, page)
	if err != nil {
		return false, err
	}
	for _, m := range next {
		if len(*taken) >= most || len(p.Open) >= maxOpen {
			return false, nil
		}
		p.After = m.Seq
		if !c.wants(&m) {
			continue
		}
		o := open{ID: m.ID, Seq: m.Seq}
		if c.Group != nil {
			o.Group = short(c.Group(&m))
			if others(p.Open, o, *taken) {
				p.Open = append(p.Open, o)
				continue
			}
		}
		o.Given, o.Until = 1, now.Add(c.Lease)
		*taken = append(*taken, Delivery{m, 1, o.Until})
		if !ack {
			p.Open = append(p.Open, o)
		}
	}
	return len(next) == page, nil
}

// short returns a group as it is kept with each open message. A thousand of these must
// go into one value of the store, however long the names are that others give.
func short(group string) string {
	if len(group) <= maxConsumer {
		return group
	}
	sum := sha256.Sum256([]byte(group))
	return hex.EncodeToString(sum[:])
}

// others reports whether an earlier message of the group of o is open and was not taken
// together with it.
func others(all []open, o open, taken []Delivery) bool {
	return slices.ContainsFunc(all, func(e open) bool {
		return e.Group == o.Group && !slices.ContainsFunc(taken, func(d Delivery) bool { return d.Seq == e.Seq })
	})
}

// blocked reports whether o must wait for an earlier message of its group, which was
// not taken just now.
func blocked(all []open, o open, now time.Time, mine map[uint64]bool) bool {
	if o.Group == "" {
		return false
	}
	return slices.ContainsFunc(all, func(e open) bool {
		return e.Seq < o.Seq && e.Group == o.Group && !mine[e.Seq] && (mine != nil || now.Before(e.Until))
	})
}

// bury moves a message to the dead letters.
func (c *Consumer) bury(tx Tx, m *Message, given int, reason string) error {
	if c.Dead == "" {
		return nil
	}
	data, err := schema.Marshal(Dead{Consumer: c.Name, ID: m.ID, Seq: m.Seq, Deliveries: given, At: c.Now().UTC(), Reason: reason, Data: m.Data})
	if err != nil {
		return err
	}
	_, _, err = tx.Append(c.Dead, c.Name+":"+m.ID, data)
	return err
}

// Ack settles messages, by their ids. unknown are those that are not open, because they
// were acknowledged before or never given.
func (c *Consumer) Ack(ctx context.Context, ids ...string) (unknown []string, err error) {
	return c.settle(ctx, ids, func(Tx, *position, int) (bool, error) { return true, nil })
}

// Nak gives a message back. After the delay it is given again.
func (c *Consumer) Nak(ctx context.Context, delay time.Duration, ids ...string) (unknown []string, err error) {
	return c.settle(ctx, ids, func(_ Tx, p *position, at int) (bool, error) {
		p.Open[at].Until = c.Now().Add(delay)
		return false, nil
	})
}

// Extend lets the leases of messages begin anew.
func (c *Consumer) Extend(ctx context.Context, ids ...string) (unknown []string, err error) {
	return c.Nak(ctx, c.Lease, ids...)
}

// Bury moves messages to the dead letters, for a reason.
func (c *Consumer) Bury(ctx context.Context, reason string, ids ...string) (unknown []string, err error) {
	return c.settle(ctx, ids, func(tx Tx, p *position, at int) (bool, error) {
		m, err := tx.Find(c.Stream, p.Open[at].ID)
		if err != nil || m == nil {
			return true, err
		}
		return true, c.bury(tx, m, p.Open[at].Given, reason)
	})
}

// settle changes what is open of some ids. change returns whether the message is
// settled.
func (c *Consumer) settle(ctx context.Context, ids []string, change func(tx Tx, p *position, at int) (bool, error)) (unknown []string, err error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	err = c.Store.Update(ctx, func(tx Tx) error {
		unknown = nil
		e, err := tx.Get(c.key())
		if err != nil {
			return err
		}
		if e.Revision == 0 {
			return fault.New(fault.NotFound, fault.T("no consumer %s has taken messages", "消费者 %s 尚未接收过消息", c.Name)).
				WithHint(fault.T("name the consumer that the messages were received with; helve messages channels lists them", "请给出接收消息时所用的消费者；helve messages channels 列出它们"))
		}
		kept := *c
		kept.Filter = filterOf(e.Value)
		p, _, err := kept.load(tx)
		if err != nil {
			return err
		}
		changed := false
		for _, id := range ids {
			at := slices.IndexFunc(p.Open, func(o open) bool { return o.ID == id && o.Given > 0 })
			if at < 0 {
				unknown = append(unknown, id)
				continue
			}
			done, err := change(tx, &p, at)
			if err != nil {
				return err
			}
			if changed = true; done {
				p.Open = slices.Delete(p.Open, at, at+1)
			}
		}
		if !changed {
			return nil
		}
		return c.save(tx, p)
	})
	return unknown, err
}

// filterOf returns the filter in the value of a position, whatever it is. Of one that
// cannot be read, load says what is wrong.
func filterOf(value []byte) string {
	var p position
	if json.Unmarshal(value, &p) != nil {
		return ""
	}
	return p.Filter
}

// Receive is Claim that waits until there is a message, or ctx ends: then there is
// none, and no error.
func (c *Consumer) Receive(ctx context.Context, most int, ack bool) ([]Delivery, error) {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	bell, err := c.Store.Watch(watching)
	if err != nil {
		return nil, err
	}
	for {
		taken, err := c.Claim(ctx, most, ack)
		if ctx.Err() != nil && len(taken) == 0 {
			return nil, nil
		}
		if err != nil || len(taken) > 0 {
			return taken, err
		}
		due, err := c.due(ctx)
		if ctx.Err() != nil {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		timer := time.NewTimer(due)
		select {
		case <-ctx.Done():
		case <-bell:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// longest is the longest time, after which a waiting consumer looks by itself.
const longest = 30 * time.Second

// due returns how long it is until an open message may be given again. One that waits
// for an earlier one of its group is given after that one, and not counted here.
func (c *Consumer) due(ctx context.Context) (time.Duration, error) {
	wait := longest
	err := c.Store.View(ctx, func(r Reader) error {
		p, _, err := c.load(r)
		if err != nil {
			return err
		}
		now := c.Now()
		for _, o := range p.Open {
			if o.Given > 0 && !blocked(p.Open, o, now, nil) {
				wait = min(wait, max(o.Until.Sub(now), time.Millisecond))
			}
		}
		return nil
	})
	return wait, err
}

// Standing says how far a consumer has come.
type Standing struct {
	Name   string `json:"name"`
	Filter string `json:"filter,omitzero"`
	Began  uint64 `json:"-"`     // it was never to be given this message or one before
	After  uint64 `json:"after"` // the last message that it was given or passed over
	Open   int    `json:"open"`  // messages that are not acknowledged
	// Waiting are the sequence numbers of these messages, in their order.
	Waiting []uint64 `json:"-"`
}

// Standings lists the consumers of a stream.
func Standings(r Reader, stream string) ([]Standing, error) {
	prefix := "consumers/" + stream + "/"
	entries, err := r.List(prefix)
	if err != nil {
		return nil, err
	}
	all := make([]Standing, 0, len(entries))
	for _, e := range entries {
		var p position
		if err := json.Unmarshal(e.Value, &p); err != nil {
			continue // its own faults are reported to whoever uses it
		}
		s := Standing{Name: e.Key[len(prefix):], Filter: p.Filter, Began: p.Began, After: p.After, Open: len(p.Open)}
		for _, o := range p.Open {
			s.Waiting = append(s.Waiting, o.Seq)
		}
		all = append(all, s)
	}
	return all, nil
}
