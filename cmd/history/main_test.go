package history_test

import (
	"testing"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
)

func TestMain(m *testing.M) { cmdtest.Main(m, cmd.Main, nil) }
