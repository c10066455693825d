package effect

import "github.com/helve-dev/helve/pkg/fault"

// askAgain is the hint where an approval no longer fits.
func askAgain() fault.Text {
	return fault.T("make the call again to ask anew", "请重新发起调用以再次请求")
}

func previewGone(err error) error {
	return fault.New(fault.ApprovalStale, fault.T("the result of the command's preview is no longer kept", "命令的预览结果已不再保留")).
		WithHint(askAgain()).Because(err)
}

func changedSince(name string, err error) error {
	return fault.New(fault.ApprovalStale, fault.T("%s has changed since the command was previewed", "%s 在命令预览之后已被更改", name)).
		WithHint(askAgain()).WithDetails(map[string]string{"path": name}).Because(err)
}

// Why a change set cannot be applied.

func tooManyChanges(most int) fault.Text {
	return fault.T("it changes more than %d files", "改动的文件超过 %d 个", most)
}

func tooMuchLost(lost, most int64) fault.Text {
	return fault.T("it removes %d bytes, and at most %d can be kept", "将移除 %d 字节，最多可保留 %d 字节", lost, most)
}

func becomesUnreadable(name string) fault.Text {
	return fault.T("%s is made unreadable", "%s 将变为不可读", name)
}

func specialBits(name string) fault.Text {
	return fault.T("the setuid, setgid or sticky bit of %s changes", "%s 的特殊权限位（setuid、setgid 或 sticky）将改变", name)
}

func specialFile(name string) fault.Text {
	return fault.T("%s is not a file, a directory or a link", "%s 不是普通文件、目录或链接", name)
}
