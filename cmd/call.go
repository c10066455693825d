package cmd

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/dialect"
)

// callCommand is "helve call": a provider's tool calls in, its messages out.
func callCommand(h *host.Host, out *Printer) *cobra.Command {
	var content, name string
	var fail, stay, images bool
	c := &cobra.Command{
		Use: "call [JSON]", Args: takes(0, 1),
		Short: out.Text("Run the tool calls that a provider returned", "运行模型提供商返回的工具调用"),
		Long: out.Text("Read tool calls (OpenAI Chat: one, an array, the assistant's message or the whole completion), run them, and print "+
			"the messages to append to the conversation: one for each call, in the order of the calls, also for calls that failed.",
			"读取工具调用（OpenAI Chat：单个调用、数组、助手消息或完整的补全），运行它们，并输出应追加到对话的消息：每个调用一条，按调用顺序，失败的调用也有。"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if content != "text" && content != "json" {
				return fault.New(fault.Usage, fault.T("--content %s: want text or json", "--content %s：应为 text 或 json", content)).
					WithHint(fault.T("models read text best", "text 最适合模型阅读"))
			}
			if name != "auto" && name != string(dialect.OpenAI) {
				return fault.New(fault.Usage, fault.T("unknown dialect %q", "未知方言 %q", name)).
					WithHint(fault.T("the dialects are: auto, openai", "可用方言：auto、openai"))
			}
			h.Repair = true
			b := &batch{out: out, json: content == "json", world: h.Live().Env}
			if images {
				b.pictures = dialect.Pictures()
			}
			_, _, err := b.world()
			if err != nil {
				return err
			}
			if stay && len(args) == 0 {
				err = b.session(cmd.Context(), cmd.InOrStdin())
			} else {
				err = b.once(cmd, args)
			}
			if fail && b.failures.Load() > 0 {
				out.status = 1
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&name, "dialect", "auto", out.Text("format of the calls: auto or openai", "调用的格式：auto 或 openai"))
	f.StringVar(&content, "content", "text", out.Text("form of the results in the messages: text, as a model reads it, or the json envelope", "消息中结果的形式：供模型阅读的 text，或 json 信封"))
	f.BoolVar(&fail, "fail", false, out.Text("exit with 1 when any call failed", "任一调用失败时以 1 退出"))
	f.BoolVar(&images, "images", false, out.Text("show the model the images that are read: they follow the results in one message of the user", "让模型看到读取的图片：图片附在结果之后的一条 user 消息中"))
	f.BoolVar(&stay, "ndjson", false, out.Text("keep running: answer each line of standard input with one line", "持续运行：对标准输入的每一行回复一行"))
	return c
}

// once runs the calls of one document, or of one a line.
func (b *batch) once(cmd *cobra.Command, args []string) error {
	var input []byte
	var err error
	if len(args) == 1 && args[0] != "-" {
		input = []byte(args[0])
	} else if input, err = awaitStdin(cmd.Context(), cmd.InOrStdin(), nil); err != nil {
		return err
	}
	if lines := documents(input); len(lines) > 1 {
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
	b.out.Document(messages)
	return nil
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
