package schema

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

type bilingual struct {
	Limit int      `json:"limit,omitzero" doc:"Most lines." zh:"最多行数。" default:"20" min:"1" max:"90"`
	Least int      `json:"least,omitzero" doc:"Least." zh:"下限。" min:"2"`
	Most  float64  `json:"most,omitzero" doc:"Most." zh:"上限。" max:"0.5"`
	Plain int      `json:"plain,omitzero" doc:"Plain." max:"3"`
	Parts []inner  `json:"parts,omitzero" doc:"Parts." zh:"各部分。"`
	Names []string `json:"names,omitzero" doc:"Names." zh:"名称。" min:"1"`
	Where string   `json:"where,omitzero" doc:"Where." zh:"位置。" default:"."`
}

type inner struct {
	Text string `json:"text,omitzero" doc:"Its text." zh:"文本。" default:"a"`
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
	wantZH := []string{"最多行数。范围为 1 到 90。默认为 20。", "下限。不小于 2。", "上限。不大于 0.5。", "Plain. At most 3.", "各部分。", "文本。默认为 a。", "名称。", "位置。默认为工作区根目录。"}
	if d := cmp.Diff(wantZH, descriptions(chinese)); d != "" {
		t.Error(d)
	}
	want := []string{"Most lines. From 1 to 90. Default: 20.", "Least. At least 2.", "Most. At most 0.5.", "Plain. At most 3.", "Parts.", "Its text. Default: a.", "Names.", "Where. Default: the workspace root."}
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
