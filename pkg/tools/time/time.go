// Package time is the tool that returns the time. It sets no clock and schedules
// nothing.
package time

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schedule/zone"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Args are the arguments.
type Args struct {
	Timezone string `json:"timezone,omitzero" doc:"Such as Asia/Shanghai. Default: the person's." alias:"time_zone,timeZone,tz"`
}

// Result is the present moment.
type Result struct {
	ISO      string `json:"iso"`      // RFC 3339, in whole seconds
	Unix     int64  `json:"unix"`     // seconds since 1970-01-01 UTC
	Timezone string `json:"timezone"` // IANA name, or an offset
	Offset   string `json:"offset"`   // from UTC, as +08:00
	Weekday  string `json:"weekday"`  // in English
}

// Tool returns the time.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "time", Title: "Tell the time",
	Risk:       policy.Read,
	Doc:        "Return the date, time and weekday. Call it before anything that depends on today: do not guess the date.",
	DefaultArg: "timezone",
	Examples: []tool.Example{
		{Doc: "here", Args: `{}`},
		{Doc: "in Shanghai", Args: `{"timezone":"Asia/Shanghai"}`},
	},
	Run:  run,
	Text: text,
})

func text(r Result, v screen.View) string {
	day, _ := fault.Translate(r.Weekday, v.Lang)
	return day + " " + r.ISO + " " + r.Timezone
}

func run(_ context.Context, call *tool.Call, a Args) (Result, error) {
	loc, err := wanted(call, a.Timezone)
	if err != nil {
		return Result{}, err
	}
	now := call.Env.Now().In(loc)
	return Result{
		ISO:      now.Format(time.RFC3339),
		Unix:     now.Unix(),
		Timezone: loc.String(),
		Offset:   now.Format("-07:00"),
		Weekday:  now.Weekday().String(),
	}, nil
}

// wanted returns the zone that was asked for, or else the person's.
func wanted(call *tool.Call, name string) (*time.Location, error) {
	if name == "" {
		loc, wrong, err := zone.Person(call.Env.Timezone, call.Env.TZ)
		if !wrong.IsZero() {
			call.Warn(wrong)
		}
		return loc, err
	}
	loc, err := zone.Load(name)
	if err != nil {
		e := fault.As(err)
		return nil, schema.Invalid("/timezone", e.Message).WithHint(e.Hint).Because(err)
	}
	return loc, nil
}
