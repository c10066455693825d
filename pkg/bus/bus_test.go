package bus_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
)

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is a bus in a directory of its own.
type world struct {
	*bus.Bus
	*clock
	t     *testing.T
	store *bolt.Store
	dir   *state.Dir
}

func newWorld(t *testing.T) *world {
	t.Helper()
	c := &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	dir, err := state.Open(t.TempDir(), t.TempDir(), state.Options{Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	s := bolt.Open(dir)
	t.Cleanup(func() { _ = s.Close() })
	return &world{bus.New(s, c.Now), c, t, s, dir}
}

// message is one to the conversation that most tests use.
func message(content string) bus.Message {
	return bus.Message{Channel: "telegram", To: "42", Session: "s1", Content: content}
}

func (w *world) send(m bus.Message) bus.Receipt {
	w.t.Helper()
	r, err := w.Send(w.t.Context(), m)
	if err != nil {
		w.t.Fatal(err)
	}
	if r.Tidying != nil {
		w.t.Fatal(r.Tidying)
	}
	return r
}

func (w *world) receive(o bus.ReceiveOptions) []bus.Message {
	w.t.Helper()
	if o.Consumer == "" {
		o.Consumer = "c"
	}
	got, err := w.Receive(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

func (w *world) ack(messages ...bus.Message) {
	w.t.Helper()
	if unknown, err := w.Ack(w.t.Context(), "c", ids(messages)...); err != nil || len(unknown) > 0 {
		w.t.Fatal(unknown, err)
	}
}

func contents(messages []bus.Message) string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Content)
	}
	return strings.Join(all, " ")
}

func ids(messages []bus.Message) []string {
	var all []string
	for _, m := range messages {
		all = append(all, m.ID)
	}
	return all
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func wantCode(t *testing.T, what string, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// A message is received as it was sent.
func TestEnvelope(t *testing.T) {
	w := newWorld(t)
	m := bus.Message{
		Channel: "telegram", To: "-100 42/7", From: "agent", Session: "s1", Kind: bus.KindResult, Content: "done: <b>&\u2028",
		Media:   []bus.File{{Path: "a.png", Kept: "/k/a.png", SHA: strings.Repeat("a", 64), MIME: "image/png", Bytes: 3}},
		Buttons: [][]string{{"Yes", "No"}, {"Later"}}, ReplyTo: "7", DedupeKey: "job@1", Turn: "t1",
		Origin: &bus.Origin{Kind: "cron", Job: "job", Run: "job@1"}, ExpiresAt: w.Now().Add(time.Hour),
	}
	r := w.send(m)
	got := w.receive(bus.ReceiveOptions{})
	m.ID, m.Seq, m.CreatedAt, m.Deliveries = r.ID, r.Seq, w.Now(), 1
	if diff := cmp.Diff([]bus.Message{m}, got); diff != "" {
		t.Error(diff)
	}
	if !state.IsID(r.ID) || r.Seq == 0 || r.Duplicate {
		t.Errorf("%+v", r)
	}
	m.Deliveries = 0
	one, err := w.Get(t.Context(), r.ID)
	if diff := cmp.Diff(m, one); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for _, id := range []string{"", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "a/b"} {
		_, err := w.Get(t.Context(), id)
		wantCode(t, id, err, fault.NotFound)
	}
}

// What makes two messages one: a key, or the same text in a turn. Without either, a
// repetition is sent and said to be one, if it comes soon.
func TestDuplicates(t *testing.T) {
	w := newWorld(t)
	with := func(m bus.Message, change func(*bus.Message)) bus.Message { change(&m); return m }
	keyed := with(message("a"), func(m *bus.Message) { m.DedupeKey = "k" })
	turned := with(message("b"), func(m *bus.Message) { m.Turn = "t1" })
	first, second := w.send(keyed), w.send(turned)
	for name, test := range map[string]struct {
		m         bus.Message
		duplicate string // id of the first
	}{
		"same key, other text":   {with(keyed, func(m *bus.Message) { m.Content = "other" }), first.ID},
		"same key, other chat":   {with(keyed, func(m *bus.Message) { m.To = "43" }), ""},
		"same key, other medium": {with(keyed, func(m *bus.Message) { m.Channel = "email" }), ""},
		"same text and turn":     {turned, second.ID},
		"other turn":             {with(turned, func(m *bus.Message) { m.Turn = "t2" }), ""},
		"other session":          {with(turned, func(m *bus.Message) { m.Session = "s2" }), ""},
		"other chat":             {with(turned, func(m *bus.Message) { m.To = "43" }), ""},
		"other media":            {with(turned, func(m *bus.Message) { m.Media = []bus.File{{SHA: "1"}} }), ""},
		"a key of its own":       {with(turned, func(m *bus.Message) { m.DedupeKey = "again" }), ""},
		"another kind":           {with(turned, func(m *bus.Message) { m.Kind = bus.KindReminder }), ""},
	} {
		r := w.send(test.m)
		if r.Duplicate != (test.duplicate != "") || r.Duplicate && r.ID != test.duplicate || r.Repeated {
			t.Errorf("%s: %+v, want a duplicate of %q", name, r, test.duplicate)
		}
	}
	plain := message("c")
	if r := w.send(plain); r.Repeated || r.Duplicate {
		t.Errorf("the first: %+v", r)
	}
	if r := w.send(plain); !r.Repeated || r.Duplicate {
		t.Errorf("again: %+v", r)
	}
	w.forward(3 * time.Minute)
	if r := w.send(plain); r.Repeated || r.Duplicate {
		t.Errorf("later: %+v", r)
	}
}

func TestRefused(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("x", 257)
	for name, test := range map[string]struct {
		change func(*bus.Message)
		code   fault.Code
	}{
		"channel with a slash": {func(m *bus.Message) { m.Channel = "tele/gram" }, fault.InvalidArguments},
		"no channel":           {func(m *bus.Message) { m.Channel = "" }, fault.InvalidArguments},
		"long channel":         {func(m *bus.Message) { m.Channel = long }, fault.InvalidArguments},
		"no conversation":      {func(m *bus.Message) { m.To = "" }, fault.InvalidArguments},
		"lines in to":          {func(m *bus.Message) { m.To = "a\nb" }, fault.InvalidArguments},
		"long key":             {func(m *bus.Message) { m.DedupeKey = long }, fault.InvalidArguments},
		"empty":                {func(m *bus.Message) { m.Content = " \n" }, fault.InvalidArguments},
		"only thoughts":        {func(m *bus.Message) { m.Content = "<think>what now?" }, fault.InvalidArguments},
		"not UTF-8":            {func(m *bus.Message) { m.Content = "\xff" }, fault.InvalidArguments},
		"10 MB":                {func(m *bus.Message) { m.Content = strings.Repeat("x", 10<<20) }, fault.TooLarge},
		"large when escaped":   {func(m *bus.Message) { m.Content = strings.Repeat("\x01", 61<<10) }, fault.TooLarge},
		"empty button":         {func(m *bus.Message) { m.Buttons = [][]string{{"a", " "}} }, fault.InvalidArguments},
		"many buttons":         {func(m *bus.Message) { m.Buttons = [][]string{strings.Split(strings.Repeat("a", 21), "")} }, fault.InvalidArguments},
	} {
		m := message("text")
		test.change(&m)
		_, err := w.Send(t.Context(), m)
		wantCode(t, name, err, test.code)
	}
	for name, o := range map[string]bus.ReceiveOptions{
		"no consumer":   {},
		"bad consumer":  {Consumer: "a/b"},
		"reserved":      {Consumer: "nobody"},
		"bad channel":   {Consumer: "c", Filter: bus.Filter{Channel: "a/b"}},
		"bad recipient": {Consumer: "c", Filter: bus.Filter{To: "a\nb"}},
	} {
		_, err := w.Receive(t.Context(), o)
		wantCode(t, name, err, fault.InvalidArguments)
	}
	if got := w.receive(bus.ReceiveOptions{}); len(got) > 0 {
		t.Errorf("sent all the same: %v", got)
	}
}

// Who does not acknowledge a message gets it again when its lease has run out, and
// after a few times it is a dead letter, which can be put back.
func TestDeadLetters(t *testing.T) {
	w := newWorld(t)
	w.send(message("a"))
	o := bus.ReceiveOptions{MaxDeliver: 2, Lease: time.Minute}
	for n := 1; n <= 2; n++ {
		got := w.receive(o)
		if contents(got) != "a" || got[0].Deliveries != n {
			t.Fatalf("%d: %+v", n, got)
		}
		want(t, "leased", contents(w.receive(o)), "")
		w.forward(time.Minute)
	}
	want(t, "given up", contents(w.receive(o)), "")
	letters, err := w.Dead(t.Context(), "", bus.Filter{}, 10)
	if err != nil || len(letters) != 1 || letters[0].Consumer != "c" || letters[0].Deliveries != 2 || letters[0].Message == nil || letters[0].Message.Content != "a" {
		t.Fatal(letters, err)
	}
	if none, err := w.Dead(t.Context(), "d", bus.Filter{}, 10); err != nil || len(none) > 0 {
		t.Error(none, err)
	}
	sent, err := w.Sent(t.Context(), bus.Filter{Session: "s1"}, 10)
	if err != nil || len(sent) != 1 || sent[0].Status != bus.Buried {
		t.Error(sent, err)
	}
	want(t, "another consumer", contents(w.receive(bus.ReceiveOptions{Consumer: "d", Ack: true})), "a")
	fresh, err := w.Revive(t.Context(), letters[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "another consumer, again", contents(w.receive(bus.ReceiveOptions{Consumer: "d"})), "")
	got := w.receive(o)
	if contents(got) != "a" || got[0].Again != letters[0].Message.ID || got[0].ID != fresh[0] || got[0].Deliveries != 1 {
		t.Errorf("%+v", got)
	}
	_, err = w.Revive(t.Context(), letters[0].ID)
	wantCode(t, "a second time", err, fault.NotFound)
}

// What cannot be read is a dead letter, and keeps nobody from what comes after it.
// What was sent can become a dead letter, however long it is.
func TestLongDeadLetter(t *testing.T) {
	w := newWorld(t)
	w.send(message(strings.Repeat("\x01", 59<<10)))
	o := bus.ReceiveOptions{Consumer: "c", MaxDeliver: 1, Lease: time.Second}
	if n := len(w.receive(o)); n != 1 {
		t.Fatalf("%d messages", n)
	}
	w.forward(time.Minute)
	w.send(message("next"))
	want(t, "after it", contents(w.receive(o)), "next")
	letters, err := w.Dead(t.Context(), "c", bus.Filter{}, 10)
	if err != nil || len(letters) != 1 || letters[0].Message == nil {
		t.Errorf("dead letters: %+v, %v", letters, err)
	}
}

func TestUnreadable(t *testing.T) {
	w := newWorld(t)
	err := w.store.Update(t.Context(), func(tx store.Tx) error {
		_, _, err := tx.Append("messages", "broken", []byte("{"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.send(message("a"))
	for _, o := range []bus.ReceiveOptions{{Consumer: "c"}, {Consumer: "d", Ack: true}} {
		want(t, o.Consumer, contents(w.receive(o)), "a")
		letters, err := w.Dead(t.Context(), o.Consumer, bus.Filter{}, 10)
		if err != nil || len(letters) != 1 || letters[0].Message != nil || string(letters[0].Data) != "{" {
			t.Fatal(letters, err)
		}
		_, err = w.Revive(t.Context(), letters[0].ID)
		wantCode(t, "revived", err, fault.BadDocument)
	}
	if got := w.receive(bus.ReceiveOptions{Consumer: "c"}); len(got) > 0 {
		t.Error(got)
	}
	_, err = w.Get(t.Context(), "broken")
	wantCode(t, "got", err, fault.BadDocument)
	if all, _, unread, err := w.Read(t.Context(), 0, 10, bus.Filter{}); err != nil || contents(all) != "a" || unread != 1 {
		t.Error(all, unread, err)
	}
	if o, err := w.Channels(t.Context()); err != nil || o.Unreadable != 1 {
		t.Error(o, err)
	}
}

// Messages of a conversation stay in order, also if one is given back; others do not
// wait for it.
func TestOrder(t *testing.T) {
	w := newWorld(t)
	other := message("x")
	other.To = "43"
	w.send(message("a"))
	w.send(message("b"))
	w.send(other)
	one := w.receive(bus.ReceiveOptions{Max: 1})
	want(t, "first", contents(one), "a")
	want(t, "meanwhile", contents(w.receive(bus.ReceiveOptions{})), "x")
	if _, err := w.Nak(t.Context(), "c", time.Minute, one[0].ID); err != nil {
		t.Fatal(err)
	}
	want(t, "delayed", contents(w.receive(bus.ReceiveOptions{})), "")
	w.forward(time.Minute)
	got := w.receive(bus.ReceiveOptions{})
	// The lease of x, which nobody acknowledged, has run out as well.
	want(t, "again", contents(got), "a b x")
	w.ack(got...)
	unknown, err := w.Ack(t.Context(), "c", one[0].ID, "never")
	if diff := cmp.Diff([]string{one[0].ID, "never"}, unknown); diff != "" || err != nil {
		t.Error(err, diff)
	}
	want(t, "all done", contents(w.receive(bus.ReceiveOptions{})), "")
}

// A consumer's choice is fixed, and it begins where it was told to.
func TestConsumers(t *testing.T) {
	w := newWorld(t)
	w.send(message("a"))
	want(t, "from now", contents(w.receive(bus.ReceiveOptions{Consumer: "late", FromNow: true})), "")
	email := bus.Filter{Channel: "email"}
	want(t, "email", contents(w.receive(bus.ReceiveOptions{Consumer: "mail", Filter: email})), "")
	_, err := w.Receive(t.Context(), bus.ReceiveOptions{Consumer: "mail"})
	wantCode(t, "another filter", err, fault.Conflict)
	m := message("b")
	m.Channel, m.To = "email", "a@example.org"
	w.send(m)
	want(t, "late", contents(w.receive(bus.ReceiveOptions{Consumer: "late", Ack: true})), "b")
	want(t, "email", contents(w.receive(bus.ReceiveOptions{Consumer: "mail", Filter: email})), "b")
	want(t, "all", contents(w.receive(bus.ReceiveOptions{Ack: true, Max: 1})), "a")

	got, err := w.Channels(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bus.Overview{
		Conversations: []bus.Conversation{
			{Channel: "email", To: "a@example.org", Messages: 1, Last: w.Now()},
			{Channel: "telegram", To: "42", Messages: 1, Last: w.Now()},
		},
		Consumers: []bus.Consumer{
			{Name: "c", Behind: 1},
			{Name: "late"},
			{Name: "mail", Channel: "email", Open: 1},
		},
	}, got, cmpopts.IgnoreFields(bus.Consumer{}, "After")); diff != "" {
		t.Error(diff)
	}
}

// An expired message is given to nobody, whether it was given before or not.
func TestExpiry(t *testing.T) {
	w := newWorld(t)
	for _, content := range []string{"a", "b"} {
		m := message(content)
		m.ExpiresAt = w.Now().Add(time.Hour)
		w.send(m)
	}
	want(t, "in time", contents(w.receive(bus.ReceiveOptions{Max: 1, Lease: time.Minute})), "a")
	w.forward(time.Hour)
	w.send(message("c"))
	want(t, "too late", contents(w.receive(bus.ReceiveOptions{})), "c")
	sent, err := w.Sent(t.Context(), bus.Filter{}, 2)
	if err != nil || len(sent) != 2 || sent[0].Status != bus.Expired || sent[1].Status != bus.Queued {
		t.Error(sent, err)
	}
}

// A waiting receiver gets what another process sends, and what comes due.
func TestWait(t *testing.T) {
	w := newWorld(t)
	got := make(chan []bus.Message)
	go func() {
		m, err := w.Receive(t.Context(), bus.ReceiveOptions{Consumer: "c", Wait: time.Hour})
		if err != nil {
			t.Error(err)
		}
		got <- m
	}()
	another := bus.New(bolt.Open(w.dir), w.Now)
	if _, err := another.Send(t.Context(), message("a")); err != nil {
		t.Fatal(err)
	}
	want(t, "waited", contents(<-got), "a")
	want(t, "nothing in time", contents(w.receive(bus.ReceiveOptions{Consumer: "d", Filter: bus.Filter{Channel: "email"}, Wait: time.Millisecond})), "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m, err := w.Receive(ctx, bus.ReceiveOptions{Consumer: "e", Wait: time.Hour}); len(m) > 0 || err != nil {
		t.Error(m, err)
	}
}

// A listener hears all that is sent, and takes nothing.
func TestTail(t *testing.T) {
	w := newWorld(t)
	w.send(message("a"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := make(chan string)
	ended := make(chan error, 1)
	go func() {
		ended <- w.Tail(ctx, 0, bus.Filter{To: "42"}, func(m bus.Message) error { heard <- m.Content; return nil })
	}()
	want(t, "before", <-heard, "a")
	w.send(message("b"))
	want(t, "after", <-heard, "b")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	want(t, "nothing was taken", contents(w.receive(bus.ReceiveOptions{})), "a b")
}

// A session that sends too many is told to wait; others are not.
func TestRate(t *testing.T) {
	w := newWorld(t)
	bus.SetRate(w.Bus, 20)
	for range 20 {
		w.send(message("x"))
	}
	_, err := w.Send(t.Context(), message("y"))
	wantCode(t, "one more", err, fault.RateLimited)
	if !strings.Contains(fault.As(err).Hint.In(fault.English), "1m0s") {
		t.Errorf("the hint: %s", fault.As(err).Hint)
	}
	m := message(`"session":"s1"`)
	m.Session = "s2"
	w.send(m)
	m.Session, m.Kind = "s1", bus.KindReminder
	w.send(m)
	w.forward(time.Minute)
	w.send(message("y"))
}

// Where many sessions send within a minute, each has its own number, whichever process
// sends, and whatever its name.
func TestRateOfMany(t *testing.T) {
	w := newWorld(t)
	other := bus.New(w.store, w.Now)
	bus.SetRate(w.Bus, 20)
	bus.SetRate(other, 20)
	names := []string{`a"\`, `a"`, "s1", "é"}
	for i := range 20 {
		for k, name := range names {
			m := message(strconv.Itoa(i))
			m.Session = name
			if _, err := []*bus.Bus{w.Bus, other}[(i+k)%2].Send(t.Context(), m); err != nil {
				t.Fatalf("%d of %q: %v", i, name, err)
			}
		}
		w.forward(time.Second)
	}
	for _, name := range names {
		m := message("more")
		m.Session = name
		for _, b := range []*bus.Bus{w.Bus, other, bus.New(w.store, w.Now)} {
			bus.SetRate(b, 20)
			_, err := b.Send(t.Context(), m)
			wantCode(t, "one more of "+name, err, fault.RateLimited)
		}
	}
	w.forward(41 * time.Second) // two are a minute old
	for i := range 2 {
		w.send(message("later" + strconv.Itoa(i)))
	}
	_, err := w.Send(t.Context(), message("more"))
	wantCode(t, "one more", err, fault.RateLimited)
}

// Old messages are removed, by those who send. What nobody dealt with is not lost
// silently.
func TestRetention(t *testing.T) {
	w := newWorld(t)
	for _, content := range []string{"a", "b", "c"} {
		w.send(message(content))
	}
	w.ack(w.receive(bus.ReceiveOptions{Max: 1})...) // a
	w.receive(bus.ReceiveOptions{Max: 1})           // b
	other := message("n")
	other.To = "43"
	other.DedupeKey = "k"
	w.receive(bus.ReceiveOptions{Consumer: "of-42", Filter: bus.Filter{To: "42"}, Ack: true})
	first := w.send(other)
	w.forward(30 * 24 * time.Hour)
	for range 128 {
		m := message("fill")
		m.Session = ""
		m.Kind = bus.KindResult
		w.send(m)
	}
	_, err := w.Get(t.Context(), first.ID)
	wantCode(t, "an old one", err, fault.NotFound)
	if r := w.send(other); r.Duplicate {
		t.Errorf("the key of a removed message: %+v", r)
	}
	letters, err := w.Dead(t.Context(), "", bus.Filter{}, 10)
	var got []string
	for _, l := range letters {
		got = append(got, l.Consumer+":"+l.Message.Content)
	}
	if diff := cmp.Diff([]string{"c:b", "c:c", "c:n"}, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	done, err := w.Compact(t.Context())
	if err != nil || done != (bus.Compacted{}) {
		t.Error(done, err)
	}
	w.forward(90 * 24 * time.Hour)
	done, err = w.Compact(t.Context())
	if diff := cmp.Diff(bus.Compacted{Messages: 129, Buried: 257, Letters: 3}, done); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if o, err := w.Channels(t.Context()); err != nil || o.Dropped != 3 {
		t.Error(o, err)
	}
}
