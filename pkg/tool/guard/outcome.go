package guard

import (
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// keep records what a call came to with the approval that it was carried out under.
func keep(c *tool.Call, result any, err error) {
	if err := c.Keep(outcomeOf(c, result, err)); err != nil {
		c.Warn(fault.T("the result could not be kept with its approval: %s", fault.As(err).Message))
	}
}

func outcomeOf(c *tool.Call, result any, err error) approval.Outcome {
	var o approval.Outcome
	news, known := c.WarningsAfter(err)
	for _, w := range slices.Concat(news, known) {
		o.Warnings = append(o.Warnings, approval.WordsOf(w))
	}
	if err != nil {
		o.Failure = approval.FailureOf(err)
		return o
	}
	o.Data = c.JSON
	if long, ok := result.(schema.Streamer); ok {
		if o.Data, err = schema.Marshal(long); err != nil {
			o.Failure = approval.FailureOf(err)
			return o
		}
	}
	o.Text = approval.Words{
		En: c.Tool.Text(result, screen.View{Lang: fault.English}), Zh: c.Tool.Text(result, screen.View{Lang: fault.Chinese}),
	}
	if r, ok := result.(interface{ Status() int }); ok {
		o.Exit = r.Status()
	}
	return o
}

// kept returns the outcome of a call that was carried out before, in place of
// carrying it out.
func kept(c *tool.Call) (any, error) {
	said := c.Warnings()
	for _, w := range c.Kept.Warnings {
		known := func(one fault.Text) bool { return one.In(fault.English) == w.En }
		if !slices.ContainsFunc(said, known) {
			c.Warn(w.Text())
		}
	}
	if f := c.Kept.Failure; f != nil {
		return nil, f.Err()
	}
	c.JSON = c.Kept.Data
	return c.Kept, nil
}
