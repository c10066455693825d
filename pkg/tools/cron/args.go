package cron

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schema"
)

// AddArgs are the arguments of cron_add: what a job does, when, and how.
type AddArgs struct {
	Message string `json:"message,omitzero" doc:"Text to send then." zh:"届时发送的文本。" alias:"text,reminder"`
	Exec    string `json:"exec,omitzero" doc:"Command to run then." zh:"届时运行的命令。" alias:"command"`
	Call    string `json:"call,omitzero" doc:"Tool call to make then: JSON {name, arguments}." zh:"届时调用的工具：JSON {name, arguments}。"`
	Spawn   string `json:"spawn,omitzero" doc:"Task for a sub-agent then." zh:"届时交给子代理的任务。" alias:"task" unlisted:"true"`

	EverySeconds *int64 `json:"every_seconds,omitzero" doc:"Repeat so often." zh:"重复的间隔秒数。" min:"1"`
	Cron         string `json:"cron,omitzero" doc:"Five or six fields." zh:"五个或六个字段。" alias:"cron_expr,expression"`
	At           string `json:"at,omitzero" doc:"Once: 2026-01-31T15:04, with an offset or in timezone." zh:"单次：如 2026-01-31T15:04，带偏移量或按 timezone。"`
	In           string `json:"in,omitzero" doc:"Once, after 90s, 20m, 1h30m, 2d." zh:"单次：如 90s、20m、1h30m、2d 之后。" alias:"after,delay"`
	Timezone     string `json:"timezone,omitzero" doc:"IANA name. Default: the system's." zh:"IANA 名称。默认为系统时区。" alias:"time_zone,timeZone,tz"`
	Name         string `json:"name,omitzero" doc:"Short title." zh:"简短标题。" alias:"title"`

	AllowPast bool   `json:"allow_past,omitzero" doc:"An at that has passed runs at once." zh:"已过去的 at 立即运行。" unlisted:"true"`
	Missed    string `json:"missed,omitzero" doc:"Times that passed while no scheduler ran: skip them, run the latest once, or run all." zh:"错过的时间（无调度器运行时）：skip 跳过，once 补最近一次，all 全部补上。" enum:"skip,once,all" unlisted:"true"`
	Grace     *int   `json:"grace_seconds,omitzero" doc:"How late a missed run may begin, in seconds." zh:"错过的运行最多可迟多少秒。" min:"0" unlisted:"true"`
	Overlap   string `json:"overlap,omitzero" doc:"A time that comes while the job still runs: skip it, queue it, or run in parallel." zh:"到时任务仍在运行：skip 跳过，queue 排队，parallel 并行。" enum:"skip,queue,parallel" unlisted:"true"`
	Timeout   *int   `json:"timeout_seconds,omitzero" doc:"Seconds after which a run is canceled." zh:"运行超过该秒数则取消。" min:"1" unlisted:"true" alias:"timeout"`
	Retries   *int   `json:"retries,omitzero" doc:"Times that a failed run is tried again." zh:"失败后重试的次数。" min:"0" unlisted:"true"`
	Jitter    *int   `json:"jitter_seconds,omitzero" doc:"Begin up to so many seconds later." zh:"最多推迟的秒数。" min:"0" unlisted:"true"`
	MaxRuns   *int   `json:"max_runs,omitzero" doc:"Runs after which the job ends." zh:"运行该次数后结束。" min:"0" unlisted:"true"`
	Expires   string `json:"expires_at,omitzero" doc:"Time after which it does not run, as at." zh:"此后不再运行的时间，格式同 at。" unlisted:"true"`
	Deliver   string `json:"deliver,omitzero" doc:"When output is sent to the conversation." zh:"何时将输出发送到会话。" enum:"always,on_output,on_change,on_error,never" unlisted:"true"`
	When      string `json:"when,omitzero" doc:"Tool call, as call: a run does nothing unless it succeeds and returns something; with changed true, something else than the last time." zh:"工具调用，格式同 call：仅当其成功且有返回内容时才运行；changed 为 true 时返回须与上次不同。" unlisted:"true"`
	OnLost    string `json:"on_lost,omitzero" doc:"What becomes of a run whose process has died." zh:"进程中途死亡的运行如何处理。" enum:"fail,rerun" unlisted:"true"`
	Channel   string `json:"channel,omitzero" doc:"Where messages and output go. Default: the conversation's." zh:"消息和输出的渠道。默认为当前会话的渠道。" unlisted:"true"`
	To        string `json:"to,omitzero" doc:"Conversation in channel." zh:"渠道中的会话。" unlisted:"true" alias:"chat_id"`
	Job       string `json:"job,omitzero" doc:"Change this job instead, by its id or name: what is not given stays." zh:"改为修改此任务（id 或名称）：未给出的保持不变。" unlisted:"true"`
}

// actions returns the names of the actions that are given.
func (a *AddArgs) actions() (names []string) {
	for _, one := range []struct {
		name  string
		given bool
	}{{"message", a.Message != ""}, {"exec", a.Exec != ""}, {"call", a.Call != ""}, {"spawn", a.Spawn != ""}} {
		if one.given {
			names = append(names, one.name)
		}
	}
	return names
}

// times returns the names of the schedules that are given.
func (a *AddArgs) times() (names []string) {
	for _, one := range []struct {
		name  string
		given bool
	}{{"every_seconds", a.EverySeconds != nil}, {"cron", a.Cron != ""}, {"at", a.At != ""}, {"in", a.In != ""}} {
		if one.given {
			names = append(names, one.name)
		}
	}
	return names
}

// action returns the action that is given.
func (a *AddArgs) action() (action schedule.Action, err error) {
	action = schedule.Action{Message: a.Message, Exec: a.Exec, Spawn: a.Spawn}
	if a.Call != "" {
		action.Call, err = readCall("/call", a.Call)
	}
	return action, err
}

// readCall reads a call of a tool.
func readCall(pointer, text string) (*schedule.Call, error) {
	c := &schedule.Call{}
	return c, read(pointer, text, c, c)
}

// readWhen reads the call of a condition.
func readWhen(text string, w *schedule.When) error {
	given := struct {
		*schedule.Call
		Changed bool `json:"changed"`
	}{Call: &w.Call}
	err := read("/when", text, &given, &w.Call)
	w.Changed = given.Changed
	return err
}

// read reads JSON into v, which has the call c.
func read(pointer, text string, v any, c *schedule.Call) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if args := bytes.TrimSpace(c.Arguments); err != nil || d.More() || c.Name == "" || len(args) > 0 && args[0] != '{' {
		return schema.Invalid(pointer, fault.T("not a call of a tool: %s", "不是工具调用：%s", text)).
			WithHint(fault.T(`pass JSON such as {"name":"fetch","arguments":{"url":"https://example.com"}}`, `请传入 JSON，例如 {"name":"fetch","arguments":{"url":"https://example.com"}}`))
	}
	return nil
}

// checkTarget reports a channel that nothing can be sent to.
func (a *AddArgs) checkTarget() error {
	switch a.Channel {
	case "":
		return nil
	case bus.System:
		return schema.Invalid("/channel", fault.T("the channel %s is helve's own", "渠道 %s 是 helve 自用的", a.Channel)).
			WithHint(fault.T("name another, or leave it out", "请换一个，或不给出"))
	}
	return bus.CheckChannel(a.Channel)
}

// apply changes a job as the arguments say, beside its action and its times.
func (a *AddArgs) apply(j *schedule.Job) error {
	text := func(to *string, given string) {
		if given != "" {
			*to = given
		}
	}
	number := func(to *int, given *int) {
		if given != nil {
			*to = *given
		}
	}
	if err := a.checkTarget(); err != nil {
		return err
	}
	text(&j.Name, a.Name)
	text(&j.Missed, a.Missed)
	text(&j.Overlap, a.Overlap)
	text(&j.Deliver, a.Deliver)
	text(&j.OnLost, a.OnLost)
	text(&j.Origin.Channel, a.Channel)
	text(&j.Origin.To, a.To)
	if a.Grace != nil {
		j.Grace = a.Grace
	}
	number(&j.Timeout, a.Timeout)
	number(&j.Retries, a.Retries)
	number(&j.Jitter, a.Jitter)
	number(&j.MaxRuns, a.MaxRuns)
	if a.When != "" {
		j.When = &schedule.When{}
		if err := readWhen(a.When, j.When); err != nil {
			return err
		}
	}
	return nil
}
