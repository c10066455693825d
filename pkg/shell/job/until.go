package job

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

const (
	// readAtOnce limits the output that is looked at in one piece.
	readAtOnce = 1 << 20
	// matchBytes limits each text of a [Matched].
	matchBytes = 2000
)

// The beginnings of a condition that is no regular expression.
const (
	portCondition = "port:"
	fileCondition = "file:"
)

// Condition is an event that a job is waited for: a line of its output, a port that it
// listens at, or a file. It is for one job.
type Condition struct {
	text    string
	pattern *regexp.Regexp
	port    int
	file    string
	exists  func() bool

	next  int64 // offset of the output that was not looked at
	lines lines
}

// Matched describes the event that fulfilled a condition.
type Matched struct {
	Text   string   `json:"text"`             // what the expression matched; of a port and a file the condition
	Groups []string `json:"groups,omitempty"` // of the expression
	Line   string   `json:"line,omitzero"`    // that the text is in; of a port the address
}

// Until reads a condition: port:N, file:PATH or a regular expression, which is tried on each
// line of the output. The fault is invalid_arguments.
func Until(text string) (*Condition, error) {
	c := &Condition{text: text}
	if digits, ok := strings.CutPrefix(text, portCondition); ok {
		port, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || port == 0 {
			return nil, schema.Invalid("/until", fault.T("%q is no port", digits)).WithHint(fault.T("pass the number of a TCP port, such as port:3000"))
		}
		c.port = int(port)
		return c, nil
	}
	var ok bool
	if c.file, ok = strings.CutPrefix(text, fileCondition); ok {
		if c.file == "" {
			return nil, schema.Invalid("/until", fault.T("no file is named")).WithHint(fault.T("pass file: and a path in the workspace, such as file:build/done"))
		}
		return c, nil
	}
	var err error
	c.pattern, err = Pattern("/until", text)
	return c, err
}

// Pattern compiles the regular expression in an argument. The fault is invalid_arguments.
func Pattern(argument, text string) (*regexp.Regexp, error) {
	p, err := regexp.Compile(text)
	if err != nil {
		return nil, schema.Invalid(argument, fault.T("%q is no regular expression", text)).
			WithHint(fault.T("use the syntax of RE2, and put a backslash before . ( [ and the like where they stand for themselves")).Because(err)
	}
	return p, nil
}

// Port reports whether it is a port that is waited for.
func (c *Condition) Port() bool { return c.port > 0 }

// File returns the path of the file that is waited for; "" is none.
func (c *Condition) File() string { return c.file }

// Exists sets the function that reports whether the file is there.
func (c *Condition) Exists(exists func() bool) { c.exists = exists }

// WaitUntil waits until a condition holds or the job has ended, and returns the job. m is nil
// if the condition does not hold. When ctx is done, it returns the job as it is.
func (s *Store) WaitUntil(ctx context.Context, id string, c *Condition) (r *Record, m *Matched, err error) {
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for {
		if r, err = s.Get(id); err != nil {
			return r, nil, err
		}
		m, err = c.look(ctx, s, r)
		if m != nil || err != nil || r.State != Running {
			return r, m, err
		}
		select {
		case <-ctx.Done():
			return r, nil, nil
		case <-tick.C:
		}
	}
}

// look tries the condition once. The record is older than what it looks at.
func (c *Condition) look(ctx context.Context, s *Store, r *Record) (*Matched, error) {
	switch {
	case c.pattern != nil:
		return c.printed(ctx, s, r)
	case c.port > 0:
		return c.listens(s, r)
	case c.exists():
		return &Matched{Text: c.text}, nil
	}
	return nil, nil
}

// printed tries the expression on the lines that were printed since it was tried. A line
// without an end counts once nothing has followed it for a moment, as a prompt does.
func (c *Condition) printed(ctx context.Context, s *Store, r *Record) (m *Matched, err error) {
	grown := false
	for ctx.Err() == nil {
		o, err := s.Read(r.ID, c.next, readAtOnce)
		if err != nil {
			return nil, err
		}
		if o.Since > c.next {
			c.lines = lines{} // its end is no longer kept
		}
		c.next = o.Next
		if len(o.Data) == 0 {
			break
		}
		grown = true
		c.lines.add(o.Data, func(line string) bool {
			m = c.match(line)
			return m == nil
		})
		if m != nil {
			return m, nil
		}
	}
	if grown && r.State == Running {
		return nil, nil
	}
	return c.match(c.lines.rest()), nil
}

// match tries the expression on a line.
func (c *Condition) match(line string) *Matched {
	groups := c.pattern.FindStringSubmatch(line)
	if groups == nil || line == "" {
		return nil
	}
	for i, g := range groups {
		groups[i] = limitText(g, matchBytes)
	}
	return &Matched{Text: groups[0], Groups: groups[1:], Line: limitText(line, matchBytes)}
}

// listens looks for the port among those that processes of the job listen at, in the network
// that later commands of the session have.
func (c *Condition) listens(s *Store, r *Record) (*Matched, error) {
	l, holders := s.network(r.Session)
	if l == nil {
		return nil, nil // the job is about to end
	}
	defer l.Close()
	for holder, id := range holders {
		if id != r.ID {
			continue
		}
		ports, err := native.Listening(l, []int{holder})
		if err != nil {
			return nil, fault.System(err, fmt.Sprintf("port %d", c.port))
		}
		for _, at := range ports {
			if at.Root == holder && int(at.Address.Port()) == c.port {
				return &Matched{Text: c.text, Line: at.Address.String()}, nil
			}
		}
	}
	return nil, nil
}
