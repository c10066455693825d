// Package time is the tool that tells the time. It sets no clock and schedules
// nothing.
package time

import (
	"context"
	"time"
	_ "time/tzdata" // zones also where the system has none

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// Args are the arguments.
type Args struct {
	Timezone string `json:"timezone,omitzero" doc:"IANA time zone, such as Asia/Shanghai or UTC. Left out: the system's own." alias:"time_zone,timeZone,tz"`
}

// Result is the present moment.
type Result struct {
	ISO      string `json:"iso"`      // RFC 3339, in whole seconds
	Unix     int64  `json:"unix"`     // seconds since 1970-01-01 UTC
	Timezone string `json:"timezone"` // IANA name; of the system's own zone the abbreviation
	Offset   string `json:"offset"`   // from UTC, as +08:00
	Weekday  string `json:"weekday"`  // in English
}

// Tool tells the time.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:    "time",
	Aliases: []string{"time-now", "current_time"},
	Risk:    policy.Read,
	Doc:     "Tell the current date, time, weekday and UTC offset, in any time zone. Use it before anything that depends on today's date.",
	Bare:    "timezone",
	Examples: []tool.Example{
		{Doc: "here", Args: `{}`},
		{Doc: "in Shanghai", Args: `{"timezone":"Asia/Shanghai"}`},
	},
	Run:  run,
	Text: func(r Result) string { return r.Weekday + " " + r.ISO + " " + r.Timezone },
})

func run(_ context.Context, call *tool.Call, a Args) (Result, error) {
	now := call.Env.Now()
	if a.Timezone != "" {
		zone, err := time.LoadLocation(a.Timezone)
		if err != nil {
			return Result{}, schema.Invalid("/timezone", fault.T("there is no zone %q", "没有名为 %q 的时区", a.Timezone)).
				WithHint(fault.T("use an IANA name such as Europe/Berlin, America/New_York, Asia/Shanghai or UTC", "请使用 IANA 名称，如 Asia/Shanghai、Europe/Berlin 或 UTC")).
				Because(err)
		}
		now = now.In(zone)
	}
	name := now.Location().String()
	if now.Location() == time.Local {
		name, _ = now.Zone()
	}
	return Result{
		ISO:      now.Format(time.RFC3339),
		Unix:     now.Unix(),
		Timezone: name,
		Offset:   now.Format("-07:00"),
		Weekday:  now.Weekday().String(),
	}, nil
}
