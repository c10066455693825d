//go:build !linux

package search_test

import (
	"testing"

	"github.com/helve-dev/helve/pkg/search"
)

func descriptor(testing.TB, string) (search.Root, bool) { return search.Root{}, false }
