package journal

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/helve-dev/helve/pkg/fault"
)

// Conflict is the details of an undo_conflict: what a file must be for an undo
// to be safe, and what it is. The hashes are the first 16 digits; null means
// that nothing stands there, "link", "dir" and "large" what has no hash.
type Conflict struct {
	ID       string   `json:"id,omitzero"`
	Path     string   `json:"path"`
	Expected *string  `json:"expected"`
	Found    *string  `json:"found"`
	Newer    []string `json:"newer,omitempty"` // later changes of the path that still stand
}

// digest is a state as a conflict shows it.
func digest(st *State) *string {
	if st == nil {
		return nil
	}
	s := string(st.Kind)
	if st.Kind == File {
		s = "large"
		if st.SHA != "" {
			s = st.SHA[:16]
		}
	}
	return &s
}

// changed is the fault of an undo that would overwrite somebody's change.
func changed(path string, want, found *State) error {
	what := fault.T("%s was changed since", "%s 此后已被修改", path)
	switch {
	case found == nil:
		what = fault.T("%s is no longer there", "%s 已不存在", path)
	case want == nil:
		what = fault.T("%s exists again", "%s 又已存在", path)
	case same(want, found):
		what = fault.T("the mode of %s was changed since", "%s 的权限此后已被修改", path)
	}
	return fault.New(fault.UndoConflict, what).
		WithHint(fault.T("undo the newer change first, or pass force to restore it anyway",
			"请先撤销较新的更改，或使用 force 强制恢复")).
		WithDetails(Conflict{Path: path, Expected: digest(want), Found: digest(found)})
}

func (w want) taken(found *State) error {
	if w.exact {
		return changed(w.Path, nil, found)
	}
	return fault.New(fault.AlreadyExists, fault.T("already exists: %s", "已存在: %s", w.Path))
}

func (w want) missing(path string) error {
	if w.exact {
		return changed(path, w.state, nil)
	}
	return fault.New(fault.NotFound, fault.T("file not found: %s", "文件不存在: %s", path))
}

func stale(path string) error {
	return fault.New(fault.Stale, fault.T("%s was changed by somebody else meanwhile", "%s 已被其他程序修改", path)).
		WithHint(fault.T("read it again and make the change from what it is now", "请重新读取该文件，并基于最新内容进行更改")).
		WithDetails(map[string]string{"path": path})
}

// lostBytes is the fault of bytes that should be restored and are not kept.
func lostBytes(path string, err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.New(fault.NoHistory, fault.T("the earlier bytes of %s are no longer kept", "%s 的早期内容已不再保留", path)).
		WithHint(fault.T("nothing was changed; up to %d versions of a file are kept", "没有任何改动；每个文件最多保留 %d 个版本", keptVersions)).
		Because(err)
}

// neverKept is the fault of undoing what destroyed a file too large to be kept.
func neverKept(path string, bytes int64) error {
	return fault.New(fault.NoHistory, fault.T("the earlier bytes of %s were not kept: it had %d, and the limit is %d",
		"未保留 %s 的早期内容：其大小为 %d 字节，上限为 %d 字节", path, bytes, keptFile))
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
