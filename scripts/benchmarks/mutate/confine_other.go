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

func confined(ctx context.Context, _ string, args []string) *exec.Cmd {
	return exec.CommandContext(ctx, args[0], args[1:]...)
}

func becomeConfined([]string) error { return errors.ErrUnsupported }
