package textfile

import (
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/shown"
	"github.com/helve-dev/helve/pkg/state"
)

// lost is the details of a file that would lose changes.
type lost struct {
	SHA  string `json:"sha"`
	Diff string `json:"diff,omitempty"`
}

// Shown returns what would be lost.
func (l lost) Shown() fault.Text { return fault.T("%s", l.Diff) }

// Lost returns the fault of replacing all of a file that has changed since the
// session read it: what others changed would be lost. It returns nil if the session
// was shown the changes, or has not read the file.
func (k Knowledge) Lost() error {
	i := slices.IndexFunc(k.entries, func(e state.Entry) bool { return e.By == "" })
	if i < 0 {
		return nil
	}
	now := shown.LF(k.file.Text())
	var versions []shown.Version
	before, kept := "", false // what was read last, other than the file as it is
	for _, e := range k.entries {
		v, ok := k.version(e)
		if !ok || e.By != "" && e.SHA != k.file.SHA {
			continue
		}
		v.Text = shown.LF(v.Text)
		if e.SHA != k.file.SHA && !kept {
			before, kept = v.Text, true
		}
		versions = append(versions, v)
	}
	unseen := shown.Against(now, versions).Unseen()
	if len(unseen) == 0 && (k.Current || kept && k.file.Document != nil) {
		return nil
	}
	err := fault.New(fault.Stale, fault.T("%s has changed since this session read it; writing it whole would lose that", k.file.Path))
	details := lost{SHA: k.file.SHA}
	if !kept || k.file.Document == nil {
		return err.WithHint(fault.T("read it again, then write it")).WithDetails(details)
	}
	details.Diff = diff.Unified(diff.Modified(k.file.Path), before, now, diff.ResultLimit()).Text
	return err.WithHint(fault.T("take the changes in details.diff into content and pass expect_sha %q, or read the file again", k.file.SHA)).
		WithDetails(details)
}
