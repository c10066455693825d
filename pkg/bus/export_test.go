package bus

// SetRate sets how many messages a session may send in a minute.
func SetRate(b *Bus, most int) { b.rate = most }
