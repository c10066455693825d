package approval

import (
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
)

// What the caller is told of a preview, which it pays for and has the arguments of.
const toldLines, toldChars = 200, 16 << 10

// Required returns the error of a call that waits for a person, with what its
// caller needs to go on. The reasons are in the given language.
func (r *Request) Required(lang fault.Lang) *fault.Error {
	reasons := make([]string, len(r.Reasons))
	for i, why := range r.Reasons {
		reasons[i] = why.In(lang)
	}
	preview := ""
	if r.Preview != "" {
		preview = r.Excerpt(toldLines, toldChars, lang) + "\n"
	}
	return fault.New(fault.ApprovalRequired, fault.T("a person must decide: %s", "需要用户决定：%s", strings.Join(reasons, "; "))).
		WithHint(fault.T("ask the person to run: helve approve %s; then make the call with --approval %[1]s to get its result", "请用户执行：helve approve %s；之后以 --approval %[1]s 发起该调用以取得结果", r.ID)).
		WithDetails(required{awaited{r.ID, r.Expires, r.Risk, reasons, preview}})
}

// required is the details of a call that waits for a person.
type required struct {
	Approval awaited `json:"approval"`
}

type awaited struct {
	ID      string      `json:"id"`
	Expires time.Time   `json:"expires_at"`
	Risk    policy.Risk `json:"risk"`
	Reasons []string    `json:"reasons"`
	Preview string      `json:"preview,omitzero"`
}

// Awaited returns the id of the request that a call waits for; "" if the error is not
// that of such a call.
func Awaited(err *fault.Error) string {
	if err == nil {
		return ""
	}
	d, _ := err.Details.(required)
	return d.Approval.ID
}

// undecided is the error of using a request that is still pending.
func (r *Request) undecided() error {
	return fault.New(fault.ApprovalRequired, fault.T("nobody has decided about %s yet", "尚无人对 %s 作出决定", r.ID)).
		WithHint(fault.T("wait for the person to run: helve approve %s", "请等待用户执行：helve approve %s", r.ID))
}

// Rejection returns the error of a call that a person denied, with their words.
func Rejection(reason string) *fault.Error {
	e := fault.New(fault.Rejected, fault.T("the user rejected this change", "用户拒绝了此更改"))
	if reason != "" {
		e.Message = fault.T("the user rejected this change: %s", "用户拒绝了此更改：%s", reason)
	}
	return e.WithHint(fault.T("do not make this call again; do what the user wants instead", "请勿重复此调用；请按用户的意愿处理")).
		WithDetails(struct {
			Reason string `json:"reason"`
		}{reason})
}

// Settled returns the error of a request that can no longer be decided or used.
func (r *Request) Settled() error {
	hint := callAgain()
	var why fault.Text
	switch {
	case r.State == Used:
		why = fault.T("the call of %s has been carried out", "%s 的调用已执行", r.ID)
		hint = fault.T("do not make it again; helve approvals show %s shows its result", "请勿重复此调用；helve approvals show %s 会显示其结果", r.ID)
	case len(r.Drifted) > 0:
		return stale(r.Drifted)
	case r.State == Expired:
		why = fault.T("%s has expired", "%s 已过期", r.ID)
	case r.State == Denied:
		why = fault.T("%s has been denied", "%s 已被拒绝", r.ID)
	default:
		why = fault.T("%s has been approved", "%s 已被批准", r.ID)
		hint = fault.T("the call runs when it is made with --approval %s", "以 --approval %s 发起该调用即可执行", r.ID)
	}
	return fault.New(fault.ApprovalInvalid, why).WithHint(hint)
}

// lost is the error of a call that was carried out by a process that ended before it
// recorded the outcome.
func lost(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("the outcome of %s is unknown: the process that carried the call out ended before it recorded one", "%s 的结果未知：执行该调用的进程在记录结果之前已终止", id)).
		WithHint(fault.T("it is not run again; look at what it has changed (helve history, helve audit) before you make the call anew", "不会再次执行；重新发起调用之前，请先查看它已更改的内容（helve history、helve audit）"))
}

// damagedOutcome is the error of an outcome whose file does not match its HMAC.
func damagedOutcome(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("the outcome of %s was tampered with, or is damaged", "%s 的结果被篡改或已损坏", id)).
		WithHint(fault.T("the call was carried out; look at what it has changed: helve history, helve audit", "该调用已执行；请查看它已更改的内容：helve history、helve audit"))
}

// omitted is the warning about a result that is too large to be kept.
func omitted(n int) fault.Text {
	return fault.T("the call was carried out; its result, %d bytes, was too large to be kept", "该调用已执行；其结果有 %d 字节，过大而未保存", n)
}

// stale is the error of an approval for a call that is not the one at hand.
func stale(drifts []drift) error {
	texts := make([]fault.Text, len(drifts))
	for i, d := range drifts {
		switch d.What {
		case "tool":
			texts[i] = fault.T("it is for another tool", "它针对的是另一个工具")
		case "args":
			texts[i] = fault.T("the arguments are different", "参数已不同")
		case "dir":
			texts[i] = fault.T("the working directory is a different one", "工作目录已不同")
		case "policy":
			texts[i] = fault.T("the policy has changed", "策略已更改")
		case "program":
			texts[i] = fault.T("the program is a different one", "程序已不同")
		default:
			texts[i] = fault.T("%s has changed", "%s 已更改", d.Path)
		}
	}
	return fault.New(fault.ApprovalStale, fault.T("the approval no longer fits: %s", "批准已不再适用：%s", fault.Join(texts, "; ", "；"))).
		WithHint(callAgain()).
		WithDetails(struct {
			Drifted []drift `json:"drifted"`
		}{drifts})
}

func unknown(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("there is no request %q", "没有请求 %q", id)).
		WithHint(fault.T("helve approvals list shows the requests", "helve approvals list 会列出各请求"))
}

// damaged is the error of a request whose file does not match its HMAC.
func damaged(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("the request %s was tampered with, or is damaged", "请求 %s 被篡改或已损坏", id)).WithHint(callAgain())
}

func tooMany(waiting int) error {
	return fault.New(fault.RateLimited, fault.T("%d calls already wait for a person", "已有 %d 个调用等待用户决定", waiting)).
		WithHint(fault.T("wait until they are decided or expire", "请等待它们被决定或过期"))
}

func tooLarge(n int) error {
	return fault.New(fault.TooLarge, fault.T("the request has %d bytes; the limit is %d", "请求有 %d 字节，上限为 %d 字节", n, maxRequest)).
		WithHint(fault.T("make the change in smaller parts", "请将改动拆分为更小的部分"))
}

// misunderstood is the error of a host's reply that decides nothing.
func misunderstood(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("the host's reply cannot be understood", "无法理解宿主的答复")).
		WithHint(fault.T(`it must be one line {"id":"%s","decision":"approve"} or "deny" with a "reason"`, `应为一行 {"id":"%s","decision":"approve"}，或带 "reason" 的 "deny"`, id))
}

func callAgain() fault.Text {
	return fault.T("make the call again to ask anew", "请重新发起调用以再次请求")
}
