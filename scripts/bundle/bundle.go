package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/scripts/released"
)

// system is an operating system that clients install bundles on. They know no
// processors: of those that have several, a bundle has the program that all of them run.
type system struct {
	name     string // as bundles have it
	platform string // of its program
	file     string // in the bundle
}

var systems = []system{
	{"darwin", "darwin/all", "server/helve-darwin"},
	{"linux", "linux/amd64", "server/helve-linux"},
	{"win32", "windows/amd64", "server/helve.exe"},
}

// icon is icon.svg of the desk, 512 pixels wide.
//
//go:embed icon.png
var icon []byte

type object = map[string]any

// manifest returns the description of a bundle for these systems:
// https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
func manifest(version string, there []system) ([]byte, error) {
	command := func(s system) string { return "${__dirname}/" + s.file }
	overrides, names := object{}, []string{}
	for _, s := range there {
		overrides[s.name] = object{"command": command(s)}
		names = append(names, s.name)
	}
	var offered []object
	served, err := tools.New(tools.Options{}).Served()
	if err != nil {
		return nil, err
	}
	for _, t := range served {
		offered = append(offered, object{"name": t.Name, "description": t.Summary(fault.English)})
	}
	return indented(object{
		"manifest_version": "0.3",
		"name":             "helve",
		"display_name":     "helve",
		"version":          version,
		"description":      description,
		"long_description": "Reads, searches and edits the files of one directory, runs commands in a sandbox, and reads the web. " +
			"What is destructive asks first, what was done can be undone, and nothing outside of the directory is touched.",
		"author":     object{"name": "The helve authors", "url": homepage},
		"repository": object{"type": "git", "url": homepage + ".git"},
		"homepage":   homepage,
		"license":    "MIT",
		"icon":       "icon.png",
		"keywords":   []string{"files", "shell", "sandbox", "search", "web"},
		"server": object{
			"type": "binary", "entry_point": there[0].file,
			"mcp_config": object{
				"command":            command(there[0]),
				"args":               []string{"mcp", "--root", "${user_config.workspace}"},
				"env":                object{"HELVE_READONLY": "${user_config.readonly}"},
				"platform_overrides": overrides,
			},
		},
		"tools":           offered,
		"tools_generated": true, // custom tools, and what the policy leaves out
		"compatibility":   object{"platforms": names},
		"user_config": object{
			"workspace": object{
				"type": "directory", "title": "Workspace", "required": true,
				"description": "The directory that the tools work in. They reach nothing outside of it.",
			},
			"readonly": object{
				"type": "boolean", "title": "Only read", "required": false, "default": false,
				"description": "Refuse everything that changes files or runs programs that may.",
			},
		},
	})
}

// assemble returns the bundle of the programs, a ZIP file.
func assemble(root string, programs []released.Program, version string) ([]byte, error) {
	var there []system
	entries := []released.Entry{{Name: "manifest.json", Mode: 0o644}, {Name: "icon.png", Data: icon, Mode: 0o644}}
	for _, s := range systems {
		for _, p := range programs {
			if p.Platform != s.platform && (len(programs) != 1 || !sameSystem(p.Platform, s)) {
				continue
			}
			data, err := os.ReadFile(p.File)
			if err != nil {
				return nil, err
			}
			there = append(there, s)
			entries = append(entries, released.Entry{Name: s.file, Data: data, Mode: 0o755})
		}
	}
	if len(there) == 0 || len(programs) > 1 && len(there) != len(systems) {
		return nil, fmt.Errorf("of the systems that bundles are for, there are programs for %d", len(there))
	}
	license, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return nil, err
	}
	entries = append(entries, released.Entry{Name: "LICENSE", Data: license, Mode: 0o644})
	if entries[0].Data, err = manifest(version, there); err != nil {
		return nil, err
	}
	return released.Zip(entries)
}

// sameSystem reports whether a platform, such as darwin/arm64, is of a system.
func sameSystem(platform string, s system) bool {
	one, _, _ := strings.Cut(platform, "/")
	other, _, _ := strings.Cut(s.platform, "/")
	return one == other
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
