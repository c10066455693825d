// Package calls has the commands for hosts: definitions and prompts for a model, the calls of
// its turn, and the tools as a server or a skill.
package calls

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/turn"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// Call is "helve call": a provider's tool calls in, its messages out.
func Call(h *host.Host, p *out.Printer) *cobra.Command {
	var content, name string
	var fail, stay, images bool
	var pass []string
	c := &cobra.Command{
		Use: "call [JSON]", Args: out.Args(0, 1),
		Short: p.Text("Run the tool calls that a provider returned"),
		Long: p.Text("Read tool calls in the format of any provider (one, an array, the message or the whole response), run them, and print " +
			"the messages to append to the conversation, in the same format: one answer for each call, in the order of the calls, also for calls that failed.\n\n" +
			"openai is Chat Completions and openai-responses the Responses API, both with custom tools; anthropic is tool_use, gemini is functionCall, " +
			"mcp is tools/call, with or without its JSON-RPC request; canonical is {\"id\",\"name\",\"arguments\"}. " +
			"xml, json, markdown and hermes are the text of a model that helve prompt has told how to call; -o text prints the text of the answer alone. " +
			"A member \"context\" beside the calls, {\"session\",\"channel\",\"chat\"}, says which conversation they belong to."),
		Example: p.Examples(
			"helve call < completion.json", p.Text("run what the model asked for, and print the messages to append"),
			"helve call --ndjson", p.Text("keep running: a line in, a line out"),
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			if content != "text" && content != "json" {
				return fault.New(fault.Usage, fault.T("--content %s: want text or json", content)).
					WithHint(fault.T("models read text best"))
			}
			d, err := dialect.Find(name)
			if err != nil {
				return err
			}
			b := &batch{out: p, dialect: d, Engine: turn.Engine{World: h.Live().Env, Lang: p.Lang, JSON: content == "json", Pass: pass}}
			if cmd.Flags().Changed("images") {
				b.Images = &images
			}
			if _, _, err = b.World(); err != nil {
				return err
			}
			if stay && len(args) == 0 {
				err = b.session(cmd.Context(), cmd.InOrStdin())
			} else {
				err = b.once(cmd, args)
			}
			if fail && b.failures > 0 {
				p.Status = 1
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&name, "dialect", dialect.Auto, p.Text("format of the calls: %s", strings.Join(dialect.Names(), ", ")))
	f.StringVar(&content, "content", "text", p.Text("form of the results in the messages: text, as a model reads it, or the json envelope"))
	f.BoolVar(&fail, "fail", false, p.Text("exit with 1 when any call failed"))
	f.BoolVar(&images, "images", false, p.Text("show the model the images that are read; true where results hold images, and in openai, where they follow the results in one message of the user, only if said"))
	f.StringSliceVar(&pass, "pass-through", nil, p.Text(`leave calls of tools that helve does not have, and of those named, to the host: print {"messages":[…],"pass_through":[{"index","call"}]}`))
	f.Lookup("pass-through").NoOptDefVal = "*"
	f.BoolVar(&stay, "ndjson", false, p.Text("keep running: answer each line of standard input with one line"))
	return c
}

// once runs the calls of one document, or of one a line.
func (b *batch) once(cmd *cobra.Command, args []string) error {
	var input []byte
	var err error
	if len(args) == 1 && args[0] != "-" {
		input = []byte(args[0])
	} else if input, err = line.AwaitText(cmd.Context(), cmd.InOrStdin(), nil); err != nil {
		return err
	}
	if err := withinLimit(input); err != nil {
		return err
	}
	if lines := documents(input); len(lines) > 1 && !b.dialect.OfText() {
		b.out.Format = "json"
		b.out.Lines()
		for _, line := range lines {
			b.line(cmd.Context(), line)
		}
		return nil
	}
	messages, err := b.messages(cmd.Context(), input)
	if err != nil {
		return err
	}
	if text, ok := dialect.Text(messages); ok && b.out.Format == "text" {
		b.out.Print([]byte(text))
		return nil
	}
	b.out.Document(messages)
	return nil
}

// withinLimit refuses what standard input had more of than is read: calls beyond that would
// get no answer.
func withinLimit(input []byte) error {
	if len(input) <= schema.MaxBytes {
		return nil
	}
	return fault.New(fault.TooLarge, fault.T("the calls have more than %d bytes", schema.MaxBytes)).
		WithHint(fault.T("pass them in parts, or a line each with --ndjson"))
}

// documents returns the lines of input that holds one JSON text a line; nil for
// other input.
func documents(input []byte) [][]byte {
	var all [][]byte
	for line := range bytes.Lines(input) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if schema.Check(line) != nil {
			return nil
		}
		all = append(all, line)
	}
	return all
}
