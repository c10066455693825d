//go:build !linux

package main

import (
	"context"
	"errors"
	"os/exec"
)

const confineArgument = "confine-tests"

// confinement returns a warning: this system cannot confine the tests.
func confinement() string {
	return "the tests are not confined: one with a change may delete your files"
}

func confined(ctx context.Context, dir string, flags []string) *exec.Cmd {
	return unconfined(ctx, dir, flags)
}

func becomeConfined([]string) error { return errors.ErrUnsupported }
