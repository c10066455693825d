package cmd

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// commandTool is the tool whose result can be a process's exit status.
const commandTool = "exec"

// machine is what commands run on.
func (a *app) machine(env *tool.Env, settings config.Exec) (_ *tool.Machine, err error) {
	m := &tool.Machine{Settings: settings, Environ: os.Environ(), Passwd: passwd, Hidden: []string{stateBase(), pageCache(), userConfig()}}
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		m.Home = filepath.Clean(home)
	}
	if u, err := user.Current(); err == nil {
		m.User = u.Username
	}
	if m.Own, err = a.own(env); err != nil {
		return nil, err
	}
	dir, err := env.State()
	if err != nil {
		return nil, err
	}
	path, err := dir.Path()
	if err != nil {
		return nil, err
	}
	m.Hidden = append(m.Hidden, filepath.Dir(path)) // another one than the usual if that cannot be used
	m.Cache = filepath.Join(commandCaches(), filepath.Base(path))
	if m.Program, err = os.Executable(); err != nil {
		m.Program = "" // then nothing runs in the background
	}
	if a.streaming {
		m.Stream = a.stream
	}
	return m, nil
}

// own is where a person's settings and custom tools are. What lies in the
// workspace is made if need be: a sandbox keeps only what is there from changing.
func (a *app) own(env *tool.Env) ([]string, error) {
	own := []string{userConfig(), userTools()}
	if os.Getenv("HELVE_HOME") == "" {
		own = []string{filepath.Dir(userConfig())} // which holds nothing else
	}
	root, err := env.Root()
	if err != nil {
		return nil, err
	}
	for _, path := range own {
		if path != userConfig() && inside(root.Dir(), path) {
			if err := os.MkdirAll(path, 0o700); err != nil {
				return nil, fault.System(err, path)
			}
		}
	}
	if file, err := filepath.Abs(a.flags.config); a.flags.config != "" && err == nil {
		own = append(own, file)
	}
	return own, nil
}

// passwd is the list of users with their shells; nil where there is none.
func passwd() []byte {
	if runtime.GOOS == "windows" {
		return nil
	}
	etc, err := workspace.Open("/etc", workspace.Options{})
	if err != nil {
		return nil
	}
	defer etc.Close()
	f, err := etc.Open("passwd")
	if err != nil {
		return nil
	}
	defer f.Close()
	text := make([]byte, 1<<20)
	n, _ := f.Read(text) // what was not read names no shell
	return text[:n]
}

// execFlags are the flags of exec that are about this process, not the call.
func (a *app) execFlags(c *cobra.Command) {
	c.Flags().BoolVar(&a.streaming, "stream", false, "print output as it comes, a line of JSON each, and then the result")
	c.Flags().BoolVar(&a.mirror, "exit-status", false, "exit with the status of the command")
}

// status is the exit status that a result asks for, if the caller wants it.
func (a *app) statusOf(result any) int {
	if r, ok := result.(interface{ Status() int }); ok && a.mirror {
		return r.Status()
	}
	return 0
}

// piece is a line of a streamed answer: output as it came.
type piece struct {
	Kind string `json:"t"` // out or err
	Data string `json:"d"`
}

// stream prints a piece of output. A character that was cut in two waits for its
// rest.
func (a *app) stream(data []byte, stderr bool) {
	kind, at := "out", 0
	if stderr {
		kind, at = "err", 1
	}
	data = append(a.rest[at], data...)
	whole := len(data)
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		if last := data[len(data)-n]; utf8.RuneStart(last) {
			if !utf8.FullRune(data[len(data)-n:]) {
				whole = len(data) - n
			}
			break
		}
	}
	a.rest[at] = append([]byte(nil), data[whole:]...)
	line, err := schema.Marshal(piece{kind, string(data[:whole])})
	if err != nil || whole == 0 {
		return // every text encodes, and nothing is nothing
	}
	a.write(line)
	a.answered = false // the answer is still to come
}
