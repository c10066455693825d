package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the template, its style and its script
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/foreign"
)

//go:embed page.html
var pageTemplate string

//go:embed style.css
var pageStyle string

//go:embed page.js
var pageScript string

// manual is all that the page shows.
type manual struct {
	Date   string
	Style  template.CSS
	Script template.JS
	// ScriptHash is the source of the script for the policy of the page, which allows no other.
	ScriptHash string
	Guide      guide
	Recipes    []shownRecipe
	Tools      []shownTool
	Root       shownCommand // helve itself, with the options of all commands
	Commands   []shownGroup
	Settings   []group
	Statuses   []fault.Status
	Variables  []host.Entry
	Files      []host.Entry
}

type shownRecipe struct {
	ID, Title string
	Body      template.HTML
}

// shownTool is a tool with what its command has besides.
type shownTool struct {
	ID, Name, Risk, Doc, Usage string
	Presets                    []tool.Preset
	Aliases                    []string
	Arguments, Result          []row
	Options                    []option // that are no arguments
	Examples                   template.HTML
}

// shownCommand is a command that is no tool.
type shownCommand struct {
	ID, Path, Doc, Usage string
	Options              []option
	Examples             template.HTML
	Tools                []string // the commands below it that are tools
}

// shownGroup is a command with those below it. Lead is nil if it is a tool, and then only what
// is below it is shown here.
type shownGroup struct {
	ID, Name string
	Lead     *shownCommand
	Below    []shownCommand
}

// writePage writes the page.
func writePage(readme, date, file string) error {
	source, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	m, err := manualOf(source, func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(filepath.Dir(readme), name))
	}, date)
	if err != nil {
		return err
	}
	t, err := template.New("page").Funcs(template.FuncMap{
		"lines": strings.Split, "meaning": fault.Meaning, "toolID": toolID, "facts": facts,
	}).Parse(pageTemplate)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, m); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

func manualOf(readme []byte, read func(string) ([]byte, error), date string) (*manual, error) {
	m := &manual{Date: date, Style: template.CSS(pageStyle), Statuses: fault.Statuses(), Variables: host.Variables(), Files: host.Files()}
	sum := sha256.Sum256([]byte(pageScript))
	m.Script, m.ScriptHash = template.JS(pageScript), "sha256-"+base64.StdEncoding.EncodeToString(sum[:])
	var err error
	if m.Guide, err = guideOf(readme, read); err != nil {
		return nil, err
	}
	found, err := recipes()
	if err != nil {
		return nil, err
	}
	for _, r := range found {
		body, err := written(markdown(), r.body, r.source)
		if err != nil {
			return nil, err
		}
		m.Recipes = append(m.Recipes, shownRecipe{r.ID, r.Title, body})
	}
	root := cmd.Tree()
	commands := map[string]*cobra.Command{}
	for _, c := range walk(root) {
		commands[c.CommandPath()] = c
	}
	isTool := map[string]bool{}
	for _, t := range tools.Builtin() {
		path := "helve " + t.Command()
		s, err := toolOf(t, commands[path])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		m.Tools, isTool[path] = append(m.Tools, s), true
	}
	m.Root = commandOf(root, isTool)
	for _, c := range root.Commands() {
		if shown(c) {
			if g := groupOf(c, isTool); g.Lead != nil || len(g.Below) > 0 {
				m.Commands = append(m.Commands, g)
			}
		}
	}
	rows, err := settings()
	m.Settings = grouped(rows)
	return m, err
}

func toolID(command string) string { return "tool-" + strings.ReplaceAll(command, " ", "-") }

func toolOf(t *tool.Tool, c *cobra.Command) (shownTool, error) {
	s := shownTool{
		ID: toolID(t.Command()), Name: t.Command(), Risk: string(t.Risk), Doc: t.DocIn(fault.English), Usage: c.UseLine(),
		Presets: t.Presets, Aliases: foreign.Of(t.Name), Examples: examples(c),
	}
	o := t.Schema()
	var err error
	if s.Arguments, err = rowsIn(o.Full().JSONSchema()); err != nil {
		return s, err
	}
	flags := map[string]bool{"help": true}
	for i := range s.Arguments {
		a := &s.Arguments[i]
		if f, ok := o.Field(a.Name); ok {
			a.Rare, a.Aliases = f.Unlisted, f.Aliases
			flags[strings.ReplaceAll(a.Name, "_", "-")] = true
		}
	}
	for _, one := range optionsOf(c.NonInheritedFlags()) {
		if !flags[one.Name] {
			s.Options = append(s.Options, one)
		}
	}
	result, err := t.Output()
	if err != nil {
		return s, err
	}
	s.Result, err = rowsIn(result)
	return s, err
}

// rowsIn is rowsOf for a document.
func rowsIn(d schema.Document) ([]row, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return rowsOf(text)
}

// groupOf returns a command and those below it that are no tools.
func groupOf(c *cobra.Command, isTool map[string]bool) shownGroup {
	g := shownGroup{ID: "command-" + pageName(c), Name: c.Name()}
	for i, sub := range walk(c) {
		switch one := commandOf(sub, isTool); {
		case isTool[sub.CommandPath()]:
		case i == 0:
			g.Lead = &one
		default:
			g.Below = append(g.Below, one)
		}
	}
	return g
}

func commandOf(c *cobra.Command, isTool map[string]bool) shownCommand {
	s := shownCommand{
		ID: "command-" + pageName(c), Path: c.CommandPath(), Doc: cmp.Or(c.Long, c.Short), Usage: c.UseLine(), Examples: examples(c),
	}
	for _, o := range optionsOf(c.NonInheritedFlags()) {
		if o.Name != "help" {
			s.Options = append(s.Options, o)
		}
	}
	for _, sub := range c.Commands() {
		if c.HasParent() && isTool[sub.CommandPath()] {
			s.Tools = append(s.Tools, strings.TrimPrefix(sub.CommandPath(), "helve "))
		}
	}
	return s
}

// examples returns the examples of a command, each below what it does.
func examples(c *cobra.Command) template.HTML {
	if !c.HasExample() {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(c.Example) {
		b.WriteString(strings.TrimPrefix(line, "  "))
	}
	return block("sh", "", b.String())
}

// facts is [row.Facts] for the page, where the type is shown beside the name.
func facts(r row) string {
	var all []string
	for _, f := range r.Facts() {
		if !strings.HasPrefix(f, "Type: ") {
			all = append(all, f)
		}
	}
	return strings.Join(all, " · ")
}
