package cmd

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// report is the answer of a command that is no tool. With a failure it still
// says what there is to say.
type report struct {
	data     any
	text     string // the data for people
	warnings []fault.Text
	failure  error
}

// report prints an answer. What it says may come from files that anybody wrote,
// so the text does nothing to a terminal but show.
func (a *app) report(r report) error {
	o := guard.Outcome{Err: fault.As(r.failure), Warnings: r.warnings}
	if o.Err != nil {
		a.status = o.Err.Code.Exit()
		a.log().Error("failed", "code", o.Err.Code, "cause", o.Err.Unwrap())
	}
	if a.flags.output != "text" {
		var err error
		if o.JSON, err = schema.Marshal(r.data); err != nil {
			return err
		}
		a.document(envelopeOf(o, a.lang()))
		return nil
	}
	var b strings.Builder
	if o.Err != nil {
		b.WriteString(textOf(nil, o, a.lang(), false))
	} else {
		for _, w := range r.warnings {
			b.WriteString("warning: " + w.In(a.lang()) + "\n")
		}
	}
	b.WriteString(r.text)
	a.write([]byte(approval.Visible(b.String())))
	return nil
}
