package tool

import (
	"encoding/json"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Bind is the tool t under a name of its own, with some arguments fixed and
// hidden from its schema. fixed is a JSON object. The fault is not_configured,
// for an argument that t does not have or a value that it does not take.
func Bind(t *Tool, name, doc string, fixed []byte) (*Tool, error) {
	full := t.Arguments()
	var given map[string]json.RawMessage
	if err := json.Unmarshal(fixed, &given); err != nil {
		return nil, unbindable(name, fault.T("bind is no object", "bind 不是对象")).Because(err)
	}
	var hidden []string
	for argument := range given {
		f, ok := full.Field(argument)
		if !ok {
			return nil, unbindable(name, fault.T("%s has no argument %q", "%s 没有参数 %q", t.Name, argument))
		}
		hidden = append(hidden, f.Name)
	}
	slices.Sort(hidden)
	bound := full.Only(hidden)
	if err := bound.Decode(fixed, t.NewArgs()); err != nil {
		return nil, unbindable(name, fault.As(err).Message).Because(err)
	}
	b := *t
	b.Name, b.Uses, b.Aliases, b.Profiles, b.Examples = name, t.Name, nil, nil, nil
	if doc != "" {
		b.Doc = doc
	}
	if slices.Contains(hidden, b.Bare) {
		b.Bare = ""
	}
	visible := full.Without(hidden)
	b.schema = func() *schema.Object { return visible }
	b.decode = func(input []byte, args any, mend bool) ([]fault.Text, error) {
		mended, err := decodeBy(visible, input, args, mend)
		if err != nil {
			return nil, err
		}
		return mended, bound.Decode(fixed, args)
	}
	return &b, nil
}

func unbindable(name string, why fault.Text) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("the bound tool %q: %s", "绑定工具 %q：%s", name, why)).
		WithHint(fault.T("mend it in the configuration: helve config path", "请在配置中修正：helve config path"))
}

func decodeBy(o *schema.Object, input []byte, args any, mend bool) ([]fault.Text, error) {
	if mend {
		return o.DecodeMended(input, args)
	}
	return nil, o.Decode(input, args)
}
