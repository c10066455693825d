package workspace

// ID returns "": the system's file information has no identity to show.
func (r *Root) ID() string { return "" }
