package native

import "github.com/helve-dev/helve/pkg/shell/sandbox/darwin"

var system darwin.System
