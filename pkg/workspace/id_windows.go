package workspace

// ID is empty: the system's file information carries no identity to show.
func (r *Root) ID() string { return "" }
