package cmd

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	installed := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3", Sum: "h1:abc="}}
	checkout := &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20260102030405-abcdef012345+dirty"}}
	for _, c := range []struct {
		linked string
		info   *debug.BuildInfo
		want   string
	}{
		{unreleased, installed, "1.2.3"},
		{unreleased, checkout, unreleased},
		{unreleased, nil, unreleased},
		{"2.0.0", installed, "2.0.0"}, // a release says what it is
	} {
		if got := versionOf(c.linked, c.info, c.info != nil); got != c.want {
			t.Errorf("%s, %+v: %s, want %s", c.linked, c.info, got, c.want)
		}
	}
}
