package limit

import "time"

// Budgets of one exchange with a web server.
const (
	// WebBody is the largest body, in bytes after decompression, that is kept by
	// default, and WebBodyMost the largest that may be asked for.
	WebBody     = 10 << 20
	WebBodyMost = 20 << 20
	// WebHeader is what a response's header may take, in bytes.
	WebHeader = 256 << 10
	// WebURL is the longest address, in bytes.
	WebURL = 8 << 10
	// WebMIME is the longest media type, in bytes (RFC 6838, section 4.2).
	WebMIME = 127 + 1 + 127
	// WebRedirects is how many redirects are followed.
	WebRedirects = 5
	// WebTimeout is how long an exchange takes at most by default, from looking
	// the name up to the last byte; WebTimeoutMost is the longest that may be
	// asked for.
	WebTimeout     = 20 * time.Second
	WebTimeoutMost = 120 * time.Second
	// WebConnect is how long connecting to one address may take.
	WebConnect = 8 * time.Second
	// WebSlack is how many bytes more a body may take as it is sent than unpacked.
	WebSlack = 1 << 20
	// WebCodings is how many times over a body may be compressed.
	WebCodings = 2
	// WebBomb is how many times larger than what was sent a body may grow before
	// it is taken for a bomb, once it is larger than WebBody. Markup shrinks to a
	// twentieth at best.
	WebBomb = 100
	// WebRetries is how often an exchange that failed is tried again, WebBackoff
	// the wait before the first of them, which doubles, and WebRetryAfter the
	// longest wait that a server may ask for.
	WebRetries    = 2
	WebBackoff    = 500 * time.Millisecond
	WebRetryAfter = 10 * time.Second
	// WebMeta is how far into a page, in bytes, its own word on its encoding is
	// looked for.
	WebMeta = 8 << 10
	// WebFresh is how long a stored response is used at most before the server is
	// asked again, whatever it promised.
	WebFresh = 24 * time.Hour
	// WebCache is what the stored responses of a workspace may take, in bytes.
	WebCache = 256 << 20
)
