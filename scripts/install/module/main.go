// Command module makes a proxy of Go modules, a directory, that has the last commit as a
// version of helve, for tests of "go install".
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	version := flag.String("version", "", "`version` to make of the commit, such as v1.2.3")
	out := flag.String("out", "", "`directory` of the proxy")
	flag.Parse()
	log.SetFlags(0)
	if err := write(module.Version{Path: "github.com/helve-dev/helve", Version: *version}, *out); err != nil {
		log.Fatal("module: ", err)
	}
}

// write writes the files of https://go.dev/ref/mod#goproxy-protocol
func write(m module.Version, out string) error {
	dir := filepath.Join(out, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	gomod, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	info := fmt.Sprintf("{\"Version\":%q,\"Time\":\"2000-01-01T00:00:00Z\"}", m.Version)
	for name, text := range map[string][]byte{m.Version + ".mod": gomod, m.Version + ".info": []byte(info), "list": []byte(m.Version + "\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(dir, m.Version+".zip"))
	if err != nil {
		return err
	}
	return errors.Join(zip.CreateFromVCS(f, m, ".", "HEAD", ""), f.Close())
}
