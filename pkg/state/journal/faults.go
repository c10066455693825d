package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Conflict is the details of an undo_conflict: what a file must be for the undo to
// be safe, and what it is. Hashes are cut to 16 digits. null means that nothing is
// there; "link", "dir" and "large" replace a hash that does not exist.
type Conflict struct {
	ID       string   `json:"id,omitzero"`
	Path     string   `json:"path"`
	Expected *string  `json:"expected"`
	Found    *string  `json:"found"`
	Newer    []string `json:"newer,omitempty"` // later changes of the path that are not undone
}

// digest returns a state as a conflict shows it.
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

// changed is the error of an undo that would overwrite somebody's change.
func changed(path string, want, found *State) error {
	what := fault.T("%s has changed since", "%s 此后已被修改", path)
	switch {
	case found == nil:
		what = fault.T("%s no longer exists", "%s 已不存在", path)
	case want == nil:
		what = fault.T("%s exists again", "%s 又已存在", path)
	case same(want, found):
		what = fault.T("the mode of %s has changed since", "%s 的权限此后已被修改", path)
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
	return fault.New(fault.Stale, fault.T("%s was changed by another program", "%s 已被其他程序修改", path)).
		WithHint(fault.T("read it again and change what it holds now", "请重新读取该文件，并基于最新内容进行更改")).
		WithDetails(map[string]string{"path": path})
}

// lostBytes is the error of bytes that should be restored and are not kept.
func lostBytes(path string, err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.New(fault.NoHistory, fault.T("the earlier bytes of %s are no longer kept", "%s 的早期内容已不再保留", path)).
		WithHint(fault.T("nothing was changed; up to %d versions of a file are kept", "没有任何改动；每个文件最多保留 %d 个版本", keptVersions)).
		Because(err)
}

// neverKept is the error of undoing a change of a file too large to be kept.
func neverKept(path string, bytes int64) error {
	return fault.New(fault.NoHistory, fault.T("the earlier bytes of %s were not kept: it had %d bytes, and the limit is %d",
		"未保留 %s 的早期内容：其大小为 %d 字节，上限为 %d 字节", path, bytes, keptFile))
}

// cannotKeep is the error of a file in a group that is too large to be restored.
func cannotKeep(path string, bytes int64) error {
	return fault.New(fault.TooLarge,
		fault.T("%s has %d bytes; more than %d cannot be kept, and without them a crash could leave this change half done",
			"%s 有 %d 字节；超过 %d 字节的内容无法保留，此更改可能只完成一半", path, bytes, state.MaxBlob)).
		WithHint(fault.T("change it in a call of its own", "请单独更改该文件"))
}

// overlap is the error of a group that moves a directory and changes path in it.
func overlap(move step, path string) error {
	return fault.New(fault.Overlap, fault.T("one group moves %s and changes %s in it", "同一组更改中既移动 %s 又改动其中的 %s", cmp.Or(move.From, move.Path), path)).
		WithHint(fault.T("use two calls", "请分两次调用"))
}

// halfway is the error of a group that could be neither finished nor taken back.
func halfway(err, undoing error) error {
	return fault.New(fault.Conflict, fault.T("%v; and the changes before it could not be taken back: %v",
		"%v；且此前的更改未能回退：%v", fault.As(err).Message, fault.As(undoing).Message)).
		WithHint(fault.T("the next call that changes a file tries again; the earlier bytes are kept",
			"下一次更改文件的调用会再次尝试；早期内容已保留")).
		Because(errors.Join(err, undoing))
}

func isDirectory(path string) *fault.Error {
	return fault.New(fault.IsDirectory, fault.T("%s is a directory", "%s 是目录", path))
}

func isLink(path string) *fault.Error {
	return fault.New(fault.NotAFile, fault.T("%s is a symbolic link", "%s 是符号链接", path))
}

func notAnEntry(path string) error {
	return fault.New(fault.NotAFile, fault.T("%s is not a file, a directory or a link", "%s 不是普通文件、目录或链接", path))
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
