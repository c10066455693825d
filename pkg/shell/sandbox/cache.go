package sandbox

// Cache keeps what was found out about the machine. Either func may be nil.
type Cache struct {
	Load  func() ([]byte, error)
	Store func([]byte) error
}
