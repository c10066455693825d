package config

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Hooks are programs of the person that run around calls.
type Hooks struct {
	Before  []Hook `json:"before,omitzero" doc:"Programs that run before a call, and may refuse it, ask a person about it, or change its arguments."`
	After   []Hook `json:"after,omitzero" doc:"Programs that run after a call; what they say goes to the model."`
	Session []Hook `json:"session,omitzero" doc:"Programs that run before the first call of a session."`
}

// Hook is a program that runs at an event.
type Hook struct {
	Tool     string   `json:"tool,omitzero" max:"1000" doc:"Names of the tools that it is about, as in edit|write, ours or those of agents that have such hooks, as in Edit|Write; empty or * is every tool."`
	Run      []string `json:"run" doc:"Program and its arguments, without a shell. It runs as you, outside of the sandbox, and gets the call as JSON on standard input."`
	Timeout  int      `json:"timeout,omitzero" min:"1" max:"60" default:"10" doc:"Seconds after which it is killed, and has failed."`
	Required bool     `json:"required,omitzero" default:"false" doc:"Refuse the call if the program fails. Otherwise that is a warning."`
}

// checkHooks reports what is wrong with the hooks.
func checkHooks(h *Hooks, report func(pointer string, what fault.Text)) {
	for name, all := range map[string][]Hook{"before": h.Before, "after": h.After, "session": h.Session} {
		for i, hook := range all {
			at := "/hooks/" + name + "/" + strconv.Itoa(i) + "/run"
			if len(hook.Run) == 0 || hook.Run[0] == "" {
				report(at, fault.T("names no program"))
			}
			for j, word := range hook.Run {
				if strings.ContainsRune(word, 0) {
					report(at+"/"+strconv.Itoa(j), fault.T("must not contain a NUL"))
				}
			}
		}
	}
}
