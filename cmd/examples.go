package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/fault"
)

// sample is a command that a reader of the help can copy.
type sample struct {
	typed string
	does  fault.Text
}

// samplesOf returns the examples of a command that is not a tool's.
func samplesOf(command string) []sample {
	switch command {
	case "helve":
		return []sample{
			{`helve read README.md`, fault.T("a file")},
			{`helve grep TODO src`, fault.T("search in a directory")},
			{`echo '{"path":"README.md","limit":5}' | helve read`, fault.T("arguments as JSON")},
			{`helve undo`, fault.T("take back the last change")},
		}
	case "helve schema":
		return []sample{
			{`helve schema > tools.json`, fault.T("all tools")},
			{`helve schema --tools read,grep,find --strict`, fault.T("three of them, for structured outputs")},
		}
	case "helve call":
		return []sample{
			{`helve call < completion.json`, fault.T("run what the model asked for, and print the messages to append")},
			{`helve call --ndjson`, fault.T("keep running: a line in, a line out")},
		}
	case "helve prompt":
		return []sample{{`helve prompt --format markdown > system.md`, fault.T("for a model without tool calls")}}
	case "helve parse":
		return []sample{{`helve parse < answer.txt`, fault.T("the calls in a model's text")}}
	case "helve tools aliases":
		return []sample{{`helve tools aliases -o text`, fault.T("the names that calls may use instead")}}
	case "helve tools show":
		return []sample{{`helve tools show read`, fault.T("all arguments of a tool")}}
	case "helve tools":
		return []sample{{`helve tools list`, fault.T("the tools there are")}}
	case "helve tools list":
		return []sample{{`helve tools list -o text`, fault.T("a line for each tool")}}
	case "helve tools register":
		return []sample{{`helve tools register tools/count.json`, fault.T("add a tool of your own")}}
	case "helve tools unregister":
		return []sample{{`helve tools unregister count`, fault.T("remove it")}}
	case "helve tools enable":
		return []sample{{`helve tools enable delete`, fault.T("offer a tool again")}}
	case "helve tools disable":
		return []sample{{`helve tools disable delete`, fault.T("leave a tool out")}}
	case "helve tools validate":
		return []sample{{`helve tools validate tools/count.json`, fault.T("check a manifest before it is registered")}}
	case "helve history":
		return []sample{
			{`helve history`, fault.T("the last changes")},
			{`helve history main.go --limit 5`, fault.T("of one file")},
		}
	case "helve approvals":
		return []sample{{`helve approvals list`, fault.T("what waits for a decision")}}
	case "helve approvals list":
		return []sample{{`helve approvals list -o pretty`, fault.T("all requests")}}
	case "helve approvals show":
		return []sample{{`helve approvals show 01m7zh1bwxt3eacg76z38mmmht`, fault.T("one request with its diff")}}
	case "helve approvals watch":
		return []sample{{`helve approvals watch`, fault.T("a line for each request, until Ctrl-C")}}
	case "helve approve":
		return []sample{
			{`helve approve 01m7zh1bwxt3eacg76z38mmmht`, fault.T("allow the call, run it and print its result")},
		}
	case "helve deny":
		return []sample{{`helve deny 01m7zh1bwxt3eacg76z38mmmht --reason "use a branch"`, fault.T("refuse the call, and say why")}}
	case "helve doctor":
		return []sample{
			{`helve doctor -o text`, fault.T("a line for each check")},
			{`helve doctor --report`, fault.T("for a bug report")},
		}
	case "helve init":
		return []sample{
			{`helve init --sandbox require --no-input`, fault.T("your own settings, without a question")},
			{`helve init --workspace --set 'exec.deny=["git push.*"]'`, fault.T("what holds for everybody in this workspace")},
		}
	case "helve config":
		return []sample{{`helve config show`, fault.T("all settings and where they come from")}}
	case "helve config show":
		return []sample{{`helve config show -o text`, fault.T("a line for each setting")}}
	case "helve config path":
		return []sample{{`helve config path`, fault.T("where settings are looked for")}}
	case "helve config get":
		return []sample{{`helve config get exec`, fault.T("all settings about commands")}}
	case "helve config set":
		return []sample{
			{`helve config set files.require_read on`, fault.T("a string as it is")},
			{`helve config set exec.allow '["git status","go test"]'`, fault.T("anything else as JSON")},
		}
	case "helve config validate":
		return []sample{{`helve config validate`, fault.T("what is wrong with the settings in force")}}
	case "helve config trust":
		return []sample{{`helve config trust`, fault.T("follow this workspace's own settings as they are now")}}
	case "helve config schema":
		return []sample{{`helve config schema > helve.schema.json`, fault.T("for an editor")}}
	case "helve policy", "helve policy explain":
		return []sample{
			{`helve policy explain write '{"path":"SOUL.md","content":""}'`, fault.T("what would be decided about this call")},
			{`helve policy explain exec 'git push'`, fault.T("about a command")},
		}
	case "helve memory", "helve memory on", "helve memory off":
		return []sample{
			{`helve memory`, fault.T("whether it is on")},
			{`helve memory off`, fault.T("turn it off")},
		}
	case "helve checkpoint":
		return []sample{
			{`helve checkpoint before-refactoring`, fault.T("remember the workspace under a name")},
			{`helve checkpoint --list`, fault.T("the checkpoints")},
		}
	case "helve restore":
		return []sample{
			{`helve restore before-refactoring --dry-run`, fault.T("what would change")},
			{`helve restore before-refactoring`, fault.T("go back")},
		}
	case "helve risk":
		return []sample{{`helve risk 'git push --force'`, fault.T("judged, not run")}}
	case "helve cron", "helve cron get", "helve cron update", "helve cron enable", "helve cron disable", "helve cron run-now", "helve cron next", "helve cron history",
		"helve cron tick", "helve cron run", "helve cron install":
		return cronSamples(command)
	case "helve spawn run", "helve spawn status", "helve spawn list", "helve spawn logs", "helve spawn wait", "helve spawn result", "helve spawn cancel", "helve spawn gc",
		"helve spawn prompt", "helve spawn worker":
		return spawnSamples(command)
	case "helve audit":
		return []sample{{`helve audit --since 1h`, fault.T("the calls of the last hour")}}
	case "helve store", "helve store check":
		return []sample{
			{`helve store check`, fault.T("whether it is in order")},
			{`helve store check --repair`, fault.T("save what can be read")},
		}
	case "helve store export":
		return []sample{{`helve store export --out store.ndjson`, fault.T("everything in it, to a file")}}
	case "helve store compact":
		return []sample{{`helve store compact`, fault.T("when messages were many")}}
	case "helve version":
		return []sample{{`helve version`, fault.T("also helve --version")}}
	case "helve upgrade":
		return []sample{
			{`helve upgrade`, fault.T("how it was installed")},
			{`helve upgrade --check`, fault.T("whether there is a newer release")},
		}
	case "helve skill":
		return []sample{
			{`helve skill`, fault.T("read it")},
			{`helve skill --dir .claude/skills`, fault.T("write it where agents look for it")},
		}
	case "helve help":
		return []sample{{`helve help config set`, fault.T("the help of one command")}}
	case "helve completion", "helve completion bash":
		return []sample{{`source <(helve completion bash)`, fault.T("for this shell; put it into ~/.bashrc for all")}}
	case "helve completion zsh":
		return []sample{{`helve completion zsh > "${fpath[1]}/_helve"`, fault.T("for every new shell")}}
	case "helve completion fish":
		return []sample{{`helve completion fish > ~/.config/fish/completions/helve.fish`, fault.T("for every new shell")}}
	case "helve completion powershell":
		return []sample{{`helve completion powershell | Out-String | Invoke-Expression`, fault.T("for this shell; put it into your profile for all")}}
	}
	return nil
}

// cronSamples is samplesOf for the commands of the schedule.
func cronSamples(command string) []sample {
	switch command {
	case "helve cron get":
		return []sample{{`helve cron get standup`, fault.T("by its id or its name")}}
	case "helve cron update":
		return []sample{{`helve cron update standup --cron '0 10 * * 1-5'`, fault.T("run it at other times")}}
	case "helve cron enable":
		return []sample{{`helve cron enable standup`, fault.T("from now on")}}
	case "helve cron disable":
		return []sample{{`helve cron disable standup --reason "on leave"`, fault.T("until it is enabled again")}}
	case "helve cron run-now":
		return []sample{{`helve cron run-now backup`, fault.T("outside of its times")}}
	case "helve cron next":
		return []sample{
			{`helve cron next '0 9 * * MON#1' --timezone Europe/Berlin`, fault.T("of an expression, before it is added")},
			{`helve cron next standup --count 10`, fault.T("of a job")},
		}
	case "helve cron history":
		return []sample{{`helve cron history backup --limit 5`, fault.T("the last runs of a job")}}
	case "helve cron tick":
		return []sample{{`helve cron tick`, fault.T("one pass")}}
	case "helve cron run":
		return []sample{{`helve cron run`, fault.T("until Ctrl-C")}}
	case "helve cron install":
		return []sample{
			{`helve cron install --dry-run -o text`, fault.T("what would be written, and what to type")},
			{`helve cron install --kind systemd --tick`, fault.T("a timer that calls cron tick")},
		}
	}
	return []sample{
		{`helve cron add --message "Call Ann back" --in 20m --channel telegram --to 42`, fault.T("a reminder")},
		{`helve cron list -o text`, fault.T("the jobs")},
		{`helve cron run`, fault.T("run them")},
	}
}

// spawnSamples is samplesOf for the commands about sub-agents.
func spawnSamples(command string) []sample {
	switch command {
	case "helve spawn run":
		return []sample{
			{`helve spawn run "Run the tests in pkg/web and say which fail, and why"`, fault.T("see what it does, and its result")},
			{`helve spawn run --stream --timeout 600 < task.md`, fault.T("a long task, for a program that reads lines")},
		}
	case "helve spawn status":
		return []sample{{`helve spawn status fix-tests`, fault.T("by the beginning of its id")}}
	case "helve spawn list":
		return []sample{
			{`helve spawn list -o text`, fault.T("a line for each")},
			{`helve spawn list --status failed,lost`, fault.T("those that did not do their task")},
		}
	case "helve spawn logs":
		return []sample{{`helve spawn logs -f fix-tests`, fault.T("what it does, until it has ended")}}
	case "helve spawn wait":
		return []sample{{`helve spawn wait fix-tests find-callers --timeout 10m`, fault.T("for two of them")}}
	case "helve spawn result":
		return []sample{{`helve spawn result find-callers -o text > callers.md`, fault.T("the result alone")}}
	case "helve spawn cancel":
		return []sample{
			{`helve spawn cancel fix-tests`, fault.T("one")},
			{`helve spawn cancel --all`, fault.T("all that have not ended")},
		}
	case "helve spawn gc":
		return []sample{{`helve spawn gc --older-than 30d`, fault.T("those of the last month stay")}}
	case "helve spawn prompt":
		return []sample{{`helve spawn prompt --default -o text > prompt.md`, fault.T("a beginning for one of your own")}}
	}
	return []sample{{`helve spawn worker --labels gpu`, fault.T("take the jobs that need a GPU, on this host")}}
}

// shownSamples returns examples as the help shows them: what one does, and below that the
// command, which is never broken.
func shownSamples(all []sample, lang fault.Lang) string {
	lines := make([]string, 0, 2*len(all))
	for _, s := range all {
		lines = append(lines, "  # "+s.does.In(lang), "  "+s.typed)
	}
	return strings.Join(lines, "\n")
}

// addSamples adds the examples of the commands that are not tools.
func addSamples(c *cobra.Command, lang fault.Lang) {
	if all := samplesOf(c.CommandPath()); len(all) > 0 {
		c.Example = shownSamples(all, lang)
	}
	for _, sub := range c.Commands() {
		addSamples(sub, lang)
	}
}
