package workspace

import "github.com/helve-dev/helve/pkg/fault"

func (l *errorList) want(err error, code fault.Code) {
	if !fault.Is(err, code) {
		l.add("got %v, want %s", err, code)
	}
}
