package catalog

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/schema"
)

// validateToolsCommand is "helve tools validate".
func validateToolsCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "validate [FILE]…", Args: cobra.ArbitraryArgs,
		Short: p.Text("Check the given manifests, or all that are in use"),
		Long: p.Text(`Check the given manifests, or all that are in use.

A parameter that is a string or an array of strings may have the key "path", which
says what the tool does to it: read, write, edit, create or remove. Such a path must
be in the workspace, rules about it apply, and what is written is locked. The program
gets it relative to the workspace root, with links resolved.

    "file": {"type": "string", "path": "read"}

A program declared "read" can write nothing, and one declared "write" only in the
workspace, wherever there is a sandbox.`),
		Example: p.Examples("helve tools validate tools/count.json", p.Text("check a manifest before it is registered")),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := h.Settings()
			if err != nil {
				return err
			}
			var problems manifest.Problems
			valid := []string{}
			for _, file := range args {
				data, err := readManifest(file)
				if err != nil {
					return err
				}
				t, wrong := manifest.Parse(file, data, s.ManifestOptions())
				if problems = append(problems, wrong...); t != nil {
					valid = append(valid, t.Name)
				}
			}
			if len(args) == 0 {
				for _, f := range s.Manifests() {
					if problems = append(problems, f.Problems...); f.Tool != nil {
						valid = append(valid, f.Name)
					}
				}
			}
			var text strings.Builder
			for _, name := range valid {
				text.WriteString(p.Text("%s is valid\n", name))
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "valid", Value: valid}}, Text: text.String(), Failure: problems.Err()})
		},
	}
}
