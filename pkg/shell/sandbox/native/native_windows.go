package native

import "github.com/helve-dev/helve/pkg/shell/sandbox/windows"

var system windows.System
