package sandbox

// Moved is a path that was moved aside because a command must not put anything there.
// Nothing is deleted.
type Moved struct {
	Path string `json:"path"`
	To   string `json:"moved_to"`
}
