package process

// Closed reports false: writing to a stream that was closed fails here.
func Closed(any) bool { return false }
