package calls

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/turn"
	"github.com/helve-dev/helve/pkg/turn/envelope"
	"github.com/helve-dev/helve/pkg/turn/modeltext"
)

// Parse is "helve parse": the calls in a model's text.
func Parse(h *host.Host, p *out.Printer) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "parse [TEXT]", Args: out.Args(0, 1),
		Short: p.Text("Read the tool calls in a model's text"),
		Long: p.Text("Read the tool calls in a model's text, from TEXT or standard input, and print them with what is around them. Nothing is run.\n" +
			"A call that is damaged or could mean two things has an error instead of arguments. What is in the model's thinking is no call."),
		Example: p.Examples("helve parse < answer.txt", p.Text("the calls in a model's text")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(modeltext.Formats(), format) {
				return fault.New(fault.Usage, fault.T("unknown format %q", format)).
					WithHint(fault.T("the formats are: %s", strings.Join(modeltext.Formats(), ", ")))
			}
			input := []byte(strings.Join(args, ""))
			if len(args) == 0 || args[0] == "-" {
				var err error
				if input, err = line.AwaitText(cmd.Context(), cmd.InOrStdin(), nil); err != nil {
					return err
				}
			}
			var empty []fault.Text
			if len(bytes.TrimSpace(input)) == 0 && (len(args) == 0 || args[0] == "-") {
				what := fault.T("standard input has no text of a model")
				if !process.Piped(cmd.InOrStdin()) {
					return fault.New(fault.Usage, what).WithHint(fault.T("write what the model answered to it, or pass it: helve parse < answer.txt"))
				}
				empty = append(empty, what)
			}
			if err := withinLimit(input); err != nil {
				return err
			}
			if !utf8.Valid(input) {
				return fault.New(fault.EncodingUnsupported, fault.T("the text is not UTF-8")).
					WithHint(fault.T("pass the text as the model's server returned it"))
			}
			catalog, err := h.Catalog()
			if err != nil {
				return err
			}
			r := modeltext.Read(string(input), modeltext.Options{Format: modeltext.Format(format), Tools: turn.Known(catalog)})
			data := parsedOf(r, p.Lang)
			return p.Report(out.Report{Data: data, Text: data.String(), Warnings: append(empty, r.Notes...)})
		},
	}
	formats := strings.Join(modeltext.Formats(), ", ")
	c.Flags().StringVar(&format, "format", string(modeltext.Auto), p.Text("how the calls are written: %s", formats))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(modeltext.Formats(), cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	return c
}

// parsed is the result of the command.
type parsed struct {
	Calls    []parsedCall `json:"calls"`
	Text     string       `json:"text"` // around the calls
	Thinking string       `json:"thinking,omitzero"`
}

// parsedCall is one call. It has either arguments or an error.
type parsedCall struct {
	ID        string            `json:"id"` // call_1, call_2, … in the order of the text
	Name      string            `json:"name"`
	Arguments json.RawMessage   `json:"arguments,omitempty"`
	Repairs   []string          `json:"repairs,omitempty"`
	Error     *envelope.Failure `json:"error,omitempty"`
	Source    string            `json:"source,omitzero"` // of a damaged call: what the model wrote
}

func parsedOf(r modeltext.Reading, lang fault.Lang) parsed {
	p := parsed{Calls: []parsedCall{}, Text: r.Text, Thinking: r.Thinking}
	for i, c := range r.Calls {
		one := parsedCall{ID: "call_" + strconv.Itoa(i+1), Name: c.Name, Arguments: c.Arguments, Repairs: envelope.Warnings(c.Repairs, lang)}
		if c.Err != nil {
			one.Error, one.Source = envelope.FailureOf(c.Err, lang), c.Source
		}
		p.Calls = append(p.Calls, one)
	}
	return p
}

// String returns a line for each call, and the text.
func (p parsed) String() string {
	var b strings.Builder
	for _, c := range p.Calls {
		b.WriteString(c.ID + "  " + c.Name + "  ")
		if c.Error != nil {
			b.WriteString(c.Error.Message + "\n")
		} else {
			b.WriteString(string(c.Arguments) + "\n")
		}
	}
	if p.Text != "" {
		b.WriteString(p.Text + "\n")
	}
	return b.String()
}
