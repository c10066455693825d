package effect

import "github.com/helve-dev/helve/pkg/fault"

// askAgain is the hint where an approval no longer fits.
func askAgain() fault.Text {
	return fault.T("make the call again to ask anew")
}

func previewGone(err error) error {
	return fault.New(fault.ApprovalStale, fault.T("the result of the command's preview is no longer kept")).
		WithHint(askAgain()).Because(err)
}

func changedSince(name string, err error) error {
	return fault.New(fault.ApprovalStale, fault.T("%s has changed since the command was previewed", name)).
		WithHint(askAgain()).WithDetails(map[string]string{"path": name}).Because(err)
}

// Why a change set cannot be applied.

func tooManyChanges(most int) fault.Text {
	return fault.T("it changes more than %d files", most)
}

func tooMuchLost(lost, most int64) fault.Text {
	return fault.T("it removes %d bytes, and at most %d can be kept", lost, most)
}

func becomesUnreadable(name string) fault.Text {
	return fault.T("%s is made unreadable", name)
}

func specialBits(name string) fault.Text {
	return fault.T("the setuid, setgid or sticky bit of %s changes", name)
}

func specialFile(name string) fault.Text {
	return fault.T("%s is not a file, a directory or a link", name)
}
