package textfile

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// maxSnapshot is the largest file, in bytes, of which the session record keeps what
// was shown, to tell later which lines have changed since.
const maxSnapshot = 1 << 20

// Serve notes that the session was shown the file real, whose bytes are raw: the
// given ranges of its lines, or all where there are none. With raw nil only the
// sum is kept. That the ledger cannot be written is a warning: the call itself
// has done its work.
func Serve(call *tool.Call, real, sum string, raw []byte, ranges []state.Range) {
	if err := serve(call, real, sum, raw, ranges); err != nil {
		call.Warn(fault.T("the session's ledger could not be written: %s", "无法写入会话记录：%s", fault.As(err).Message))
	}
}

func serve(call *tool.Call, real, sum string, raw []byte, ranges []state.Range) error {
	dir, s, err := session(call)
	if err != nil {
		return err
	}
	entry := state.Entry{SHA: sum, Ranges: ranges, At: call.Env.Now().UTC()}
	if raw != nil && len(raw) <= maxSnapshot {
		if entry.Blob, err = dir.PutBlob(raw, false); err != nil {
			return err
		}
	}
	return s.Serve(real, entry)
}

// Knowledge is what the session was shown of a file.
type Knowledge struct {
	Known    bool    // anything at all
	Current  bool    // the very bytes that the file has
	Snapshot *string // the text as it was shown, if that was another one and is kept
}

// Known tells what the session was shown of the file.
func (f *File) Known() (Knowledge, error) {
	dir, s, err := session(f.call)
	if err != nil {
		return Knowledge{}, err
	}
	entry, ok, err := s.Served(f.Real)
	if err != nil || !ok {
		return Knowledge{}, err
	}
	k := Knowledge{Known: true, Current: entry.SHA == f.SHA}
	if k.Current {
		return k, nil // what it was shown is what is there
	}
	if entry.Blob == "" {
		return k, nil
	}
	if raw, err := dir.Blob(entry.Blob); err == nil { // else it was swept, and there is nothing to compare with
		if d, err := text.Decode(raw, ""); err == nil {
			k.Snapshot = &d.Text
		}
	}
	return k, nil
}

// Remember replaces what the session is taken to know of the file real by a
// text: for one that has changed in places that the session was not shown.
func Remember(call *tool.Call, real, known string) {
	raw := []byte(known)
	Serve(call, real, text.Sum(raw), raw, nil)
}

// Refresh notes what a file is now, in place of what the session was shown of
// it, if it was shown anything: after a change whose result tells it all. A
// failure is a warning, as with [Serve].
func Refresh(call *tool.Call, from, to, sum string, raw []byte) {
	_, s, err := session(call)
	if err == nil {
		var known bool
		if _, known, err = s.Served(from); err == nil && !known {
			return
		}
	}
	if err == nil {
		err = serve(call, to, sum, raw, nil)
	}
	if err != nil {
		call.Warn(fault.T("the session's ledger could not be written: %s", "无法写入会话记录：%s", fault.As(err).Message))
	}
}
