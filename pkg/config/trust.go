package config

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// maxTrusted limits the trusted files of a workspace.
const maxTrusted = 200

// TrustFile lists what a person trusts, in the state directory of a workspace.
const TrustFile = "trust.json"

// trustLock names the lock that is held while the file is changed.
const trustLock = "\x00trust"

type trustRecord struct {
	SHAs []string `json:"sha256"` // the oldest first
}

// Trust records that a person trusts the files of the workspace with these SHA-256,
// 64 hex digits each: its configuration file, and the manifests that it names. Other
// bytes are not trusted. Beyond [maxTrusted], the oldest are forgotten.
func Trust(ctx context.Context, d *state.Dir, shas ...string) (err error) {
	for _, sha := range shas {
		if raw, err := hex.DecodeString(sha); err != nil || len(raw) != 32 {
			return fault.New(fault.InvalidArguments, fault.T("%q is not a SHA-256", sha))
		}
	}
	unlock, err := d.Lock(ctx, trustLock)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	trusted, err := trustedFiles(d)
	if err != nil {
		return err
	}
	trusted = slices.DeleteFunc(trusted, func(sha string) bool { return slices.Contains(shas, sha) })
	trusted = append(trusted, shas...)
	return writeTrust(d, trusted[max(0, len(trusted)-maxTrusted):])
}

// Distrust forgets everything that is trusted in the workspace.
func Distrust(ctx context.Context, d *state.Dir) (err error) {
	unlock, err := d.Lock(ctx, trustLock)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return d.Remove(TrustFile)
}

// Trusted returns a function that reports whether a SHA-256 is trusted. If the record
// cannot be read, there is an error and nothing is trusted.
func Trusted(d *state.Dir) (func(sha string) bool, error) {
	shas, err := trustedFiles(d)
	return func(sha string) bool { return slices.Contains(shas, sha) }, err
}

func trustedFiles(d *state.Dir) ([]string, error) {
	data, err := d.ReadFile(TrustFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var record trustRecord
	if err := json.Unmarshal(data, &record); err != nil {
		return nil, fault.New(fault.IOError, fault.T("the record of trusted files is damaged")).
			WithHint(fault.T("run helve config trust again, with --forget first")).Because(err)
	}
	return record.SHAs, nil
}

func writeTrust(d *state.Dir, shas []string) error {
	data, err := json.Marshal(trustRecord{shas})
	if err != nil {
		return err
	}
	return d.WriteFile(TrustFile, append(data, '\n'))
}
