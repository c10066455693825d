package limit

import "time"

// AuditPoll is how often the log of calls is looked at for new ones. It is read
// from its beginning each time.
const AuditPoll = time.Second
