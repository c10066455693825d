package walk

// Status describes an entry of the directory, of a link the link itself.
func (h *Handle) Status(e Entry) (Status, error) {
	info, err := h.std.root.Lstat(e.Name())
	if err != nil {
		return Status{}, err
	}
	return Status{Mode: info.Mode(), Size: info.Size(), Modified: info.ModTime().UnixNano()}, nil
}
