package native

import "github.com/helve-dev/helve/pkg/shell/sandbox/linux"

var system linux.System
