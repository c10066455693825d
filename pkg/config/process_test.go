package config

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// With this variable set, the test binary sets one key of a file and ends.
const setEnv = "CONFIG_TEST_SET"

func TestMain(m *testing.M) {
	if os.Getenv(setEnv) != "" {
		if err := Set(os.Args[1], os.Args[2], os.Args[3]); err != nil {
			_, _ = os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestProcessesSetAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	settings := [][2]string{{"readonly", "true"}, {"switches.memory", "false"}, {"files.require_read", "on"}, {"web.allow_private", "true"},
		{"tools.disabled", `["a"]`}, {"audit.mask", `["b"]`}, {"tools.manifests", `["c"]`}, {"rules", `[{"tool":"x","decision":"ask"}]`}}
	var running []*exec.Cmd
	for range 3 {
		for _, kv := range settings {
			cmd := exec.CommandContext(t.Context(), exe, path, kv[0], kv[1])
			cmd.Env = append(os.Environ(), setEnv+"=1")
			cmd.Stderr = os.Stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			running = append(running, cmd)
		}
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tree, problems := jsonc.Parse(text)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	for _, kv := range settings {
		if n := tree.Path(strings.Split(kv[0], ".")...); n == nil || strings.Trim(string(n.JSON()), `"`) != kv[1] {
			t.Errorf("%s is lost: %s", kv[0], text)
		}
	}
}

func TestTrust(t *testing.T) {
	d, err := state.Open(filepath.Join(t.TempDir(), "state"), t.TempDir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	one, two := strings.Repeat("1", 64), strings.Repeat("2", 64)
	trusts := func(sha string) bool {
		t.Helper()
		trusted, err := Trusted(d)
		if err != nil {
			t.Fatal(err)
		}
		return trusted(sha)
	}
	if trusts(one) {
		t.Error("trusted before anybody said so")
	}
	for range 2 {
		if err := Trust(context.Background(), d, one); err != nil {
			t.Fatal(err)
		}
	}
	if !trusts(one) || trusts(two) || trusts("") {
		t.Error("not what was said")
	}
	var shas []string
	for i := range 200 {
		shas = append(shas, fmt.Sprintf("%064x", i))
	}
	if err := Trust(context.Background(), d, shas[:199]...); err != nil || !trusts(one) {
		t.Error("too few are trusted", err)
	}
	if err := Trust(context.Background(), d, shas...); err != nil || trusts(one) || !trusts(shas[0]) {
		t.Error("the oldest is not forgotten", err)
	}
	if err := Trust(context.Background(), d, "abc"); !fault.Is(err, fault.InvalidArguments) {
		t.Error(err)
	}
	if err := d.WriteFile(TrustFile, []byte("{")); err != nil {
		t.Fatal(err)
	}
	if trusted, err := Trusted(d); err == nil || trusted(one) {
		t.Error("a damaged record trusts")
	}
	if err := Distrust(context.Background(), d); err != nil || trusts(one) {
		t.Error(err)
	}
}
