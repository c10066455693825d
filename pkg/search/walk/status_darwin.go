package walk

import "syscall"

// Status describes an entry of the directory, of a link the link itself.
func (h *Handle) Status(e Entry) (Status, error) {
	info, err := h.std.root.Lstat(e.Name())
	if err != nil {
		return Status{}, err
	}
	s := Status{Mode: info.Mode(), Size: info.Size(), Modified: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Changed, s.Inode, s.Device = syscall.TimespecToNsec(st.Ctimespec), st.Ino, uint64(uint32(st.Dev))
		s.setLinks(uint64(st.Nlink))
	}
	return s, nil
}
