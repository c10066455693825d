package schema

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

type bilingual struct {
	Limit int      `json:"limit,omitzero" doc:"Access to the web." default:"20" min:"1" max:"90"`
	Least int      `json:"least,omitzero" doc:"Fixed arguments." min:"2"`
	Most  float64  `json:"most,omitzero" doc:"Log of calls." max:"0.5"`
	Plain int      `json:"plain,omitzero" doc:"Plain." max:"3"`
	Parts []inner  `json:"parts,omitzero" doc:"Search engines."`
	Names []string `json:"names,omitzero" doc:"Names of its tools." min:"1"`
	Where string   `json:"where,omitzero" doc:"Files of the workspace." default:"."`
}

type inner struct {
	Text string `json:"text,omitzero" doc:"Name of the new tool." default:"a"`
}

func TestLanguages(t *testing.T) {
	english := Of(reflect.TypeFor[bilingual]())
	chinese := english.In(fault.Chinese)
	descriptions := func(o *Object) []string {
		var all []string
		for i := range o.Fields {
			f := &o.Fields[i]
			all = append(all, f.Description())
			if f.Type.Items != nil && f.Type.Items.Object != nil {
				all = append(all, f.Type.Items.Object.Fields[0].Description())
			}
		}
		return all
	}
	wantZH := []string{"网络访问。范围为 1 到 90。默认为 20。", "固定的参数。不小于 2。", "调用日志。不大于 0.5。", "Plain. At most 3.", "搜索引擎。", "新工具的名称。默认为 a。", "其中工具的名称。", "工作区中的文件。默认为工作区根目录。"}
	if d := cmp.Diff(wantZH, descriptions(chinese)); d != "" {
		t.Error(d)
	}
	want := []string{"Access to the web. From 1 to 90. Default: 20.", "Fixed arguments. At least 2.", "Log of calls. At most 0.5.", "Plain. At most 3.", "Search engines.", "Name of the new tool. Default: a.", "Names of its tools.", "Files of the workspace. Default: the workspace root."}
	for _, o := range []*Object{english, english.In(fault.English), english.In("")} {
		if d := cmp.Diff(want, descriptions(o)); d != "" {
			t.Error(d)
		}
	}
	var args bilingual
	if err := chinese.Decode([]byte(`{"parts":[{}]}`), &args); err != nil || args.Limit != 20 || args.Parts[0].Text != "a" {
		t.Errorf("%+v, %v", args, err)
	}
}
