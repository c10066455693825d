package cmd

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/out"
)

// bashWords is appended to the script for bash, of which it replaces a function. Where the package bash-completion is
// missing, it finds the words on the line, which bash parts at = and : as well.
const bashWords = `
__helve_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local i last
    words=() cword=0
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        last=$((${#words[@]} - 1))
        if ((i > 1)) && [[ ${COMP_WORDS[i]} == [:=]* || ${words[last]} == *[:=] ]]; then
            words[last]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
        ((i == COMP_CWORD)) && cword=$((${#words[@]} - 1))
    done
    cur=${words[cword]} prev=${words[cword-1]}
}
`

// mendCompletion completes cobra's command completion: its script for bash works without
// the package bash-completion, and its texts are in the caller's language.
func mendCompletion(c *cobra.Command, p *out.Printer) {
	c.RunE = out.NeedsSubcommand
	c.Short = p.Text("Generate the autocompletion script for the specified shell")
	c.Long = ""
	c.Example = completionExample("bash", p)
	for _, shell := range c.Commands() {
		shell.Long = p.Text("Print the script that makes %s complete helve's commands, flags and their values.", shell.Name())
		shell.Short = p.Text("Generate the autocompletion script for %s", shell.Name())
		shell.Example = completionExample(shell.Name(), p)
		plain := shell.Flags().Lookup("no-descriptions")
		if plain != nil {
			plain.Usage = p.Text("offer names without what they are for")
		}
		shell.RunE = func(cmd *cobra.Command, _ []string) error {
			var script bytes.Buffer
			if err := generate(cmd.Root(), cmd.Name(), &script, plain == nil || plain.Value.String() != "true"); err != nil {
				return err
			}
			p.Print(script.Bytes())
			return nil
		}
	}
}

// generate writes the script for a shell.
func generate(root *cobra.Command, shell string, to *bytes.Buffer, described bool) error {
	switch shell {
	case "bash":
		err := root.GenBashCompletionV2(to, described)
		to.WriteString(bashWords)
		return err
	case "fish":
		return root.GenFishCompletion(to, described)
	case "zsh":
		if described {
			return root.GenZshCompletion(to)
		}
		return root.GenZshCompletionNoDesc(to)
	}
	if described {
		return root.GenPowerShellCompletionWithDesc(to)
	}
	return root.GenPowerShellCompletion(to)
}

// completionExample shows how the script for a shell is used.
func completionExample(shell string, p *out.Printer) string {
	switch shell {
	case "bash":
		return p.Examples("source <(helve completion bash)", p.Text("for this shell; put it into ~/.bashrc for all"))
	case "zsh":
		return p.Examples(`helve completion zsh > "${fpath[1]}/_helve"`, p.Text("for every new shell"))
	case "fish":
		return p.Examples("helve completion fish > ~/.config/fish/completions/helve.fish", p.Text("for every new shell"))
	}
	return p.Examples("helve completion powershell | Out-String | Invoke-Expression", p.Text("for this shell; put it into your profile for all"))
}
