package main

import (
	"os"

	"github.com/helve-dev/helve/pkg/search/walk"
)

func descriptor(f *os.File, _ walk.Root) walk.Root { return walk.FD(int(f.Fd())) }
