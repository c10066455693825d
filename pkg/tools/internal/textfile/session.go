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

// Record writes into the session record that the session was shown the file real,
// whose bytes are raw: the given ranges of its lines, or all if there are none.
// With raw nil it keeps only the sum. A failure is a warning: the call itself has
// done its work.
func Record(call *tool.Call, real, sum string, raw []byte, ranges []state.Range) {
	warn(call, record(call, real, sum, raw, ranges))
}

func warn(call *tool.Call, err error) {
	if err != nil {
		call.Warn(fault.T("the session record could not be written: %s", "无法写入会话记录：%s", fault.As(err).Message))
	}
}

func record(call *tool.Call, real, sum string, raw []byte, ranges []state.Range) error {
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
	return s.Record(real, entry)
}

// Knowledge is what the session was shown of a file.
type Knowledge struct {
	Known    bool    // anything at all
	Current  bool    // the very bytes that the file has
	Snapshot *string // the text that was shown, if it differs and is saved
}

// Known returns what the session was shown of the file.
func (f *File) Known() (Knowledge, error) {
	dir, s, err := session(f.call)
	if err != nil {
		return Knowledge{}, err
	}
	entry, ok, err := s.Shown(f.Real)
	if err != nil || !ok {
		return Knowledge{}, err
	}
	k := Knowledge{Known: true, Current: entry.SHA == f.SHA}
	if k.Current || entry.Blob == "" {
		return k, nil
	}
	if raw, err := dir.Blob(entry.Blob); err == nil { // else it was removed, and there is nothing to compare with
		if d, err := text.Decode(raw, ""); err == nil {
			k.Snapshot = &d.Text
		}
	}
	return k, nil
}

// RecordText replaces what the session knows of the file real by a text: for a
// file that has changed in lines that the session was not shown.
func RecordText(call *tool.Call, real, known string) {
	raw := []byte(known)
	Record(call, real, text.Sum(raw), raw, nil)
}

// RecordChange records the file as it is after a change whose result shows all of
// it, if the session knew the file before, under the path from. A failure is a
// warning, as with [Record].
func RecordChange(call *tool.Call, from, to, sum string, raw []byte) {
	_, s, err := session(call)
	if err != nil {
		warn(call, err)
		return
	}
	_, known, err := s.Shown(from)
	if err == nil && known {
		err = record(call, to, sum, raw, nil)
	}
	warn(call, err)
}

// session returns the record of what the session was shown, and the directory
// that it is in.
func session(call *tool.Call) (*state.Dir, *state.Session, error) {
	dir, err := call.Env.State()
	if err != nil {
		return nil, nil, err
	}
	s, err := dir.Session(call.Env.Session)
	return dir, s, err
}
