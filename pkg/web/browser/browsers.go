package browser

import "sync"

// Browsers are those that a run has made. What one may reach follows from the settings
// when it is made: other settings make another one.
type Browsers struct {
	mu   sync.Mutex
	made map[string]*Browser // by the settings
}

// For returns the browser of settings, and makes it at first.
func (b *Browsers) For(settings string, options func() Options) *Browser {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one := b.made[settings]; one != nil {
		return one
	}
	if b.made == nil {
		b.made = map[string]*Browser{}
	}
	one := New(options())
	b.made[settings] = one
	return one
}

// Close ends them.
func (b *Browsers) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.made {
		_ = one.Close() // never fails
	}
	b.made = nil
}
