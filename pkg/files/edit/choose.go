package edit

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// validate reports what is wrong with the edits themselves, all of it.
func validate(edits []Edit, o Options) *fault.Error {
	var wrong []fault.Text
	var at []string
	fail := func(i int, field string, text fault.Text) {
		wrong = append(wrong, fault.T("edit %d: %s", "第 %d 处编辑：%s", i+1, text))
		at = append(at, "/edits/"+strconv.Itoa(i)+"/"+field)
	}
	if len(edits) == 0 {
		return fault.New(fault.InvalidArguments, fault.T("there are no edits", "没有任何编辑"))
	}
	for i, e := range edits {
		for _, n := range []struct {
			field string
			value int
		}{{"occurrence", e.Occurrence}, {"line_hint", e.LineHint}, {"expected_replacements", e.Expected}} {
			if n.value < 0 {
				fail(i, n.field, fault.T("%s is %d; it counts from 1", "%s 为 %d，应从 1 开始计数", n.field, n.value))
			}
		}
		all := e.ReplaceAll || e.Expected > 1
		switch {
		case e.Accept != "" && (all || e.Occurrence > 0 || e.LineHint > 0 || e.After != "" || e.Within != ""):
			fail(i, "accept", fault.T("accept names the place itself and goes with new_text alone",
				"accept 已指明位置，只能与 new_text 一起使用"))
		case e.Accept != "" && o.Sequential && i > 0:
			fail(i, "accept", fault.T("accept can only be the first of edits that build on one another",
				"依次执行的编辑中，只有第一处可以使用 accept"))
		case e.Accept == "" && e.Old == "":
			fail(i, "old_text", fault.T("old_text is empty; to make or replace a whole file, write it",
				"old_text 为空；如需新建或整体替换文件，请使用 write"))
		case all && (e.Occurrence > 0 || e.LineHint > 0 || e.After != ""):
			fail(i, "replace_all", fault.T("all places and a single one are asked for at once",
				"不能同时要求替换全部位置和单个位置"))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.New(fault.InvalidArguments, fault.Join(wrong, "; ", "；")).
		WithDetails(map[string][]string{"pointers": at})
}

// choose is the places that the edit means of those that were found.
func (d *document) choose(h hit, e Edit) ([]place, *fault.Error) {
	places, err := d.narrowed(h.places, e)
	if err != nil {
		return nil, err
	}
	if len(places) == 0 {
		return nil, d.noneThere(h.places)
	}
	separate := apart(places)
	n := len(separate)
	if all := e.ReplaceAll || e.Expected > 1; all {
		if e.Expected > 0 && n != e.Expected || e.Expected == 0 && n > 1 && h.how != Exact {
			return nil, d.unexpected(separate, e.Expected)
		}
		return separate, nil
	}
	if e.Occurrence > 0 {
		if e.Occurrence > n {
			return nil, d.tooFew(separate, e.Occurrence)
		}
		return separate[e.Occurrence-1 : e.Occurrence], nil
	}
	if e.After != "" {
		places = places[:1]
	}
	if len(places) == 1 {
		if p := places[0]; e.LineHint > 0 && !d.covers(p, e.LineHint) {
			d.notes = append(d.notes, fault.T("the only match is at line %d, not at line_hint %d",
				"唯一的匹配位于第 %d 行，而不是 line_hint 指定的第 %d 行", p.line, e.LineHint))
		}
		return places, nil
	}
	if e.LineHint > 0 {
		var covering []place
		for _, p := range places {
			if d.covers(p, e.LineHint) {
				covering = append(covering, p)
			}
		}
		if len(covering) == 1 {
			return covering, nil
		}
	}
	return nil, d.ambiguous(places)
}

// narrowed leaves out the places that are not where the edit says.
func (d *document) narrowed(places []place, e Edit) ([]place, *fault.Error) {
	from, to := 0, len(d.text)
	for _, a := range []struct {
		name, text string
	}{{"within", e.Within}, {"after", e.After}} {
		if a.text == "" {
			continue
		}
		anchor := d.normal(a.text)
		i := strings.Index(d.text[from:to], anchor)
		if i < 0 {
			return nil, fault.New(fault.TextNotFound, fault.T("the text of %s is not in %s", "在 %[2]s 中找不到 %[1]s 的文本", a.name, d.path)).
				WithHint(fault.T("copy it from the file exactly", "请从文件中原样复制"))
		}
		i += from
		if strings.Contains(d.text[i+1:to], anchor) {
			return nil, fault.New(fault.TextAmbiguous, fault.T("the text of %s is in %s more than once", "%s 的文本在 %s 中不止出现一次", a.name, d.path)).
				WithHint(fault.T("give more of it", "请提供更长的文本"))
		}
		if a.name == "after" {
			from = i + len(anchor)
		} else {
			from, to = i, i+len(anchor)
		}
	}
	var kept []place
	for _, p := range places {
		if p.start >= from && p.end <= to {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// covers reports whether a line is among those of a place.
func (d *document) covers(p place, line int) bool {
	last := p.line + strings.Count(d.text[p.start:p.end], "\n")
	if p.end > p.start && d.text[p.end-1] == '\n' {
		last--
	}
	return line >= p.line && line <= last
}
