package spawn

import (
	"strings"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// text shows the result first. Of a job that did not do what it was to do it first says
// so: nobody may take that for success.
func text(r Result, v screen.View) string {
	id := screen.Line(r.JobID)
	var b strings.Builder
	say := func(t fault.Text) { b.WriteString(v.Say(t) + "\n") }
	result := func() {
		if r.Result != "" {
			b.WriteString(strings.TrimSuffix(r.Result, "\n") + "\n")
		}
		if r.Truncated {
			say(fault.T("[this is not all of it: helve spawn logs %s]", "[此处并非全部：helve spawn logs %s]", id))
		}
	}
	switch r.Status {
	case agent.Completed:
		result()
		say(fault.T("[job %s is done]", "[任务 %s 已完成]", id))
	case agent.Incomplete:
		say(fault.T("[job %s is not done: %s. What it has so far:]", "[任务 %s 未完成：%s。目前的结果：]", id, why(&r)))
		result()
		say(fault.T("[finish it yourself, or spawn the rest]", "[请自行完成，或为剩余部分创建子代理]"))
	case agent.Failed:
		say(fault.T("job %s failed: %s", "任务 %s 失败：%s", id, why(&r)))
		if r.Error != nil && r.Error.Hint != "" {
			b.WriteString(screen.Line(r.Error.Hint) + "\n")
		}
		result()
	case agent.Canceled:
		say(fault.T("job %s was canceled before it was done", "任务 %s 在完成前被取消", id))
		result()
	case agent.Lost:
		say(fault.T("job %s is lost: the process that worked on it died. See what it changed before you spawn it again", "任务 %s 已丢失：执行它的进程已死亡。重新创建前请检查它做了哪些改动", id))
		result()
	default:
		b.WriteString(going(&r, v, id))
	}
	return b.String()
}

// going shows a job that has not ended.
func going(r *Result, v screen.View, id string) string {
	said := fault.T("job %s is being worked on", "任务 %s 正在执行", id)
	switch {
	case r.Status == agent.InputRequired && r.Approval != "":
		said = fault.T("job %s waits for a person, who decides with helve approve %[2]s or helve deny %[2]s: tell them. Then it goes on", "任务 %s 等待用户用 helve approve %[2]s 或 helve deny %[2]s 决定：请告知用户。之后它会继续", id, screen.Line(r.Approval))
	case r.Status == agent.InputRequired:
		said = fault.T("job %s waits for a person: helve approvals list. Then it goes on", "任务 %s 等待用户决定：helve approvals list。之后它会继续", id)
	case r.Queued:
		said = fault.T("job %s waits for its turn", "任务 %s 正在排队", id)
	}
	return v.Say(fault.T("%s. Its result comes as a message on the channel system: go on with other work and do not poll", "%s。结果将以消息送达 system 渠道：请继续其他工作，不要轮询", said)) + "\n"
}

// why returns why a job did not end as it should.
func why(r *Result) fault.Text {
	if r.Error != nil && r.Error.Message != "" {
		return fault.T("%s", "%s", screen.Line(r.Error.Message))
	}
	switch r.Reason {
	case agent.ByIterations:
		return fault.T("as many requests as are allowed were made", "已达到请求次数上限")
	case agent.ByTokens:
		return fault.T("as many tokens as are allowed were used", "已达到 token 上限")
	case agent.ByLoop:
		return fault.T("it made the same calls again and again", "它反复进行相同的调用")
	case agent.ByTimeout:
		return fault.T("its time was up", "时间已到")
	case agent.ByModel:
		return fault.T("the model's server failed", "模型服务器出错")
	case agent.ByProgram:
		return fault.T("the agent program failed", "代理程序出错")
	case agent.BySystem:
		return fault.T("the system did not let it", "系统不允许")
	}
	return fault.T("nobody knows why", "原因不明")
}

// Output returns what the sub-agent answered, and the fault of one that has not done what
// it was to do.
func (r *Result) Output() (string, error) {
	code := fault.Unavailable
	var what fault.Text
	switch r.Status {
	case agent.Completed:
		return r.Result, nil
	case agent.Incomplete:
		what = fault.T("job %s is not done: %s", "任务 %s 未完成：%s", r.JobID, why(r))
	case agent.Failed:
		what = fault.T("job %s failed: %s", "任务 %s 失败：%s", r.JobID, why(r))
	case agent.Canceled:
		what = fault.T("job %s was canceled", "任务 %s 被取消", r.JobID)
	case agent.Lost:
		what = fault.T("job %s is lost: the process that worked on it died", "任务 %s 已丢失：执行它的进程已死亡", r.JobID)
	default:
		what = fault.T("job %s has not ended", "任务 %s 尚未结束", r.JobID)
	}
	switch {
	case r.Reason == agent.ByTimeout:
		code = fault.Timeout
	case r.Status == agent.Canceled:
		code = fault.Canceled
	case r.Error != nil && r.Error.Code != "":
		code = r.Error.Code
	}
	return r.Result, fault.New(code, what).WithHint(fault.T("helve spawn logs %s shows what it did", "helve spawn logs %s 会显示它做了什么", r.JobID))
}
