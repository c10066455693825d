package limit

import "time"

// Budgets of searching the web.
const (
	// SearchQuery is the longest query, in bytes, that is sent to a search engine.
	SearchQuery = 2000
	// SearchTimeout is how long one search engine may take, SearchBody the most of
	// its answer that is read, in bytes.
	SearchTimeout = 15 * time.Second
	SearchBody    = 4 << 20
	// SearchTitle and SearchDescription are how much of a result's texts is shown,
	// in characters.
	SearchTitle       = 200
	SearchDescription = 400
)
