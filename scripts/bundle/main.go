// Command bundle packs helve as a server of the Model Context Protocol: an MCP bundle,
// which desktop clients install with a click, and server.json, by which registries know
// it. The same input gives the same bytes.
//
//	bundle -dist DIR -out DIR                                      what goreleaser built
//	bundle -binary FILE -platform OS/ARCH -version V -out DIR      one program
//
// It runs at the top of the tree.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/scripts/released"
)

func main() { released.Main("bundle", pack) }

// pack writes the bundle of the programs and the description of the server.
func pack(r released.Release, out string) error {
	version := strings.TrimPrefix(r.Version, "v")
	if version == "" {
		return errors.New("no version")
	}
	data, err := assemble(r.Root, r.Programs, version)
	if err != nil {
		return err
	}
	name := "helve_" + version + ".mcpb"
	sum := sha256.Sum256(data)
	described, err := describe(version, name, hex.EncodeToString(sum[:]))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for file, content := range map[string][]byte{name: data, "server.json": described} {
		if err := os.WriteFile(filepath.Join(out, file), content, 0o644); err != nil {
			return err
		}
		fmt.Println(file)
	}
	return nil
}
