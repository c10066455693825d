package config

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/fault"
)

// WriteSchema writes the JSON Schema beside a configuration file, where [Template] says it
// is. One that an earlier helve wrote is replaced; any other file is already_exists.
func WriteSchema(f File) (path string, err error) {
	text, err := JSONSchema()
	if err != nil {
		return "", err
	}
	beside := f
	beside.Path = filepath.Join(filepath.Dir(f.Path), schemaFile)
	err = Create(beside, text)
	if !fault.Is(err, fault.AlreadyExists) {
		return beside.Path, err
	}
	before, unread := Read(beside)
	if unread != nil {
		return "", unread
	}
	var have struct{ Title string }
	switch {
	case bytes.Equal(before, text):
		return beside.Path, nil
	case json.Unmarshal(before, &have) != nil || have.Title != schemaTitle || f.Source == Workspace:
		return "", err
	}
	return beside.Path, Replace(beside.Path, text)
}
