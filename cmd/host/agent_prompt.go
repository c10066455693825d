package host

import (
	"runtime"

	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// AgentPrompt returns the system prompt of sub-agents, as one would get it now.
func (h *Host) AgentPrompt() (string, error) {
	env, s, err := h.Governed()
	if err != nil {
		return "", err
	}
	return s.agentPrompt(env)
}

// agentPrompt returns the system prompt of a sub-agent in a world.
func (s *Settings) agentPrompt(env *tool.Env) (string, error) {
	text := ""
	if file := s.Config.Spawn.Prompt; file != "" {
		data, err := config.Read(config.File{Source: config.User, Path: file})
		if err != nil {
			return "", err
		}
		if data == nil {
			return "", fault.New(fault.NotConfigured, fault.T("the file of spawn.prompt is not there: %s", file)).
				WithHint(fault.T("write it, such as with helve spawn prompt --default > %[1]s, or remove the setting", file))
		}
		text = string(data)
	}
	root, err := env.Root()
	if err != nil {
		return "", err
	}
	return loop.Prompt(loop.PromptData{
		Text: text, Workspace: root.Dir(), Date: env.Now().Format("Monday, 2006-01-02"), System: runtime.GOOS + "/" + runtime.GOARCH,
		Shell: shellOf(&s.Config.Exec, fault.English),
	}), nil
}
