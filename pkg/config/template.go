package config

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// schemaFile is the name of the JSON Schema beside a configuration file that [Template]
// made. The file names it relative to itself, so that editors find it without a network.
const schemaFile = "config.schema.json"

// Choice is a setting for a new configuration file. Its text is an argument of [Set].
type Choice struct{ Key, Text string }

// Template returns the text of a new configuration file of a source: every setting that
// such a file can have, with what it means. Those that were chosen are set; the others are
// comments with their defaults, so that the defaults of a later helve hold. Of the
// workspace's own file, they are those that can narrow. The error is invalid_arguments for
// a wrong key or value.
func Template(source Source, lang fault.Lang, choices []Choice) ([]byte, error) {
	t := template{source: source, lang: lang, chosen: map[string]*jsonc.Node{}}
	for _, c := range choices {
		leaf, bad := leafOf(c.Key)
		if !bad.IsZero() {
			return nil, fault.New(fault.InvalidArguments, bad)
		}
		if t.chosen[c.Key], bad = valueOf(leaf, c.Text); !bad.IsZero() {
			return nil, fault.New(fault.InvalidArguments, fault.T("%s: %s", c.Key, bad))
		}
	}
	t.b.WriteString("{\n")
	t.comment("  ", t.head().In(lang))
	t.b.WriteString("  \"$schema\": \"./" + schemaFile + "\",\n")
	t.object(object(), "", "  ")
	t.b.WriteString("}\n")
	text := []byte(t.b.String())
	if _, problems := parse(File{Source: source}, text); len(problems) > 0 {
		return nil, fault.New(fault.InvalidArguments, fault.T("%s: %s", strings.ReplaceAll(strings.Trim(problems[0].Key, "/"), "/", "."), problems[0].Message))
	}
	return text, nil
}

// Widens returns the keys of what a workspace's own file with this text would widen, so
// that it would be ignored, beside the other sources.
func Widens(o Options, f File, text []byte) ([]string, error) {
	o.Files = slices.DeleteFunc(slices.Clone(o.Files), func(one File) bool { return one.Source == Workspace })
	s := &Settings{}
	layers := s.layers(&o)
	own, problems := parse(f, text)
	if s.Problems = append(s.Problems, problems...); len(s.Problems) > 0 {
		return nil, s.Problems.Err()
	}
	layers = append(layers, own)
	slices.SortStableFunc(layers, func(a, b *layer) int { return a.source.precedence() - b.source.precedence() })
	if err := s.merge(layers); err != nil || s.Ignored == nil {
		return nil, err
	}
	return s.Ignored.Keys, nil
}

// template writes a configuration file.
type template struct {
	b      strings.Builder
	source Source
	lang   fault.Lang
	chosen map[string]*jsonc.Node
}

func (t *template) head() fault.Text {
	if t.source == Workspace {
		return fault.T("helve's settings for this workspace. They only narrow: what would widen is ignored until a person runs helve config trust. Remove // to set one; helve config validate checks the file.")
	}
	return fault.T("helve's settings. Each that is not set is here as a comment with its default: remove // to set it. helve config show lists what holds, and helve config validate checks the file.")
}

// object writes the members of an object.
func (t *template) object(o *schema.Object, path, margin string) {
	for i := range o.Fields {
		f := &o.Fields[i]
		key := path + f.Name
		doc, _ := fault.Translate(f.Doc, t.lang)
		if f.Type.Kind == schema.Map {
			if !t.holds(f.Type.Object, key+".") {
				continue
			}
			t.part()
			t.comment(margin, doc)
			t.b.WriteString(margin + "\"" + f.Name + "\": {\n")
			t.object(f.Type.Object, key+".", margin+"  ")
			t.b.WriteString(margin + "},\n")
			continue
		}
		if !t.has(key) {
			continue
		}
		t.part()
		t.comment(margin, doc+t.values(&f.Type))
		value, off := initial(key, f), "// "
		if n := t.chosen[key]; n != nil {
			value, off = string(n.JSON()), ""
		}
		t.b.WriteString(margin + off + "\"" + f.Name + "\": " + value + ",\n")
	}
}

// has reports whether the file can have a setting.
func (t *template) has(key string) bool {
	return t.source != Workspace || t.chosen[key] != nil || narrowable(key)
}

// holds reports whether the file can have any setting of an object.
func (t *template) holds(o *schema.Object, path string) (found bool) {
	leaves(o, path, func(key string, _ *schema.Field) { found = found || t.has(key) })
	return found
}

// values lists the values of a setting that has few.
func (t *template) values(of *schema.Type) string {
	if len(of.Enum) == 0 {
		return ""
	}
	return fault.T(" Values: %s.", strings.Join(of.Enum, ", ")).In(t.lang)
}

// initial returns the JSON of a setting that no source sets, as a file writes it.
func initial(key string, f *schema.Field) string {
	switch {
	case key == "tools.names" || key == "web.headers": // see normalize
		return "{}"
	case f.Type.Kind == schema.Array:
		return "[]"
	}
	return string(defaultNode(f).JSON())
}

// commentWidth is the width of a line of a comment, unless it is a single word.
const commentWidth = 100

// comment writes a text as a comment: in lines of words, or of sentences where words have
// no spaces between them.
func (t *template) comment(margin, text string) {
	if t.lang == fault.Chinese {
		for sentence := range strings.SplitAfterSeq(text, "。") {
			if sentence != "" {
				t.b.WriteString(margin + "// " + sentence + "\n")
			}
		}
		return
	}
	line := margin + "//"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > commentWidth && line != margin+"//" {
			t.b.WriteString(line + "\n")
			line = margin + "//"
		}
		line += " " + word
	}
	t.b.WriteString(line + "\n")
}

// part separates a member from the one before it.
func (t *template) part() {
	if !strings.HasSuffix(t.b.String(), "{\n") {
		t.b.WriteString("\n")
	}
}
