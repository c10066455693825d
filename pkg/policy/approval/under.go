package approval

// UnderHelve reports whether this process was started by helve, directly or not,
// so that it must neither approve nor change policy or trust. marker says that its
// own environment carries the marker HELVE, which helve gives to every child.
//
// Since a child can drop the marker, the ancestors are asked as well where the
// system shows them (Linux): whether one was started with the marker, or is
// running this very program. What cannot be found out counts as yes. A process
// that got rid of its ancestors, by outliving them all, and of the marker is not
// found; to keep such a one from the state directory is the sandbox's part.
func UnderHelve(marker bool) bool { return marker || descends() }
