package schema

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

type (
	embedded struct{ A int }
	Embedded struct {
		B int `json:"b"`
	}
	Count   int
	deep1   struct{ Deep2 }
	Deep2   struct{ Deep3 }
	Deep3   struct{ Deep4 }
	Deep4   struct{ Deep5 }
	Deep5   struct{ Deep6 }
	Deep6   struct{ C int }
	emptied int
	zeroPtr struct{ A int }
	byText  struct{}
	byPtr   struct{ A int }
)

func (emptied) IsZero() bool                { return true }
func (*zeroPtr) IsZero() bool               { return true }
func (byText) MarshalText() ([]byte, error) { return nil, nil }
func (*byPtr) MarshalJSON() ([]byte, error) { return nil, nil }

// TestPlan checks which types are encoded here. encoding/json gives the same bytes for
// them, so that no output shows it, but takes twice the time.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		value any
		form  form
	}{
		{1, plain}, {"", plain}, {true, plain}, {Count(1), plain}, {[]string{}, plain}, {[3]byte{}, plain}, {map[string]int{}, plain}, {(*int)(nil), plain}, {new(any), plain},
		{1.5, foreign}, {float32(1), foreign}, {[]byte{}, foreign}, {map[int]string{}, foreign}, {map[byText]int{}, foreign}, {json.Number("1"), foreign},
		{func() {}, foreign},
		{Document{}, document}, {json.RawMessage{}, raw}, {byText{}, own}, {time.Time{}, own},
		{struct{ A int }{}, plain},
		{struct {
			A int `json:"a_Z-9.$,omitempty"`
			B int `json:"Az0z9,omitzero"`
			c int
			D int `json:"-"`
		}{}, plain},
		{struct {
			A int `json:"a/b"`
		}{}, foreign},
		{struct {
			A int `json:"a{"`
		}{}, foreign},
		{struct {
			A int `json:"a[b"`
		}{}, foreign},
		{struct {
			A int `json:"a@b"`
		}{}, foreign},
		{struct {
			A int `json:"a:b"`
		}{}, foreign},
		{struct {
			A int `json:"ab\u0060"` //nolint:staticcheck // the tag is wrong on purpose
		}{}, foreign},
		{struct {
			A int `json:"a,string"`
		}{}, foreign},
		{struct {
			A emptied `json:"a,omitzero"`
		}{}, foreign},
		{struct {
			A *emptied `json:"a,omitzero"`
		}{}, foreign},
		{struct {
			A zeroPtr `json:"a,omitzero"`
		}{}, foreign},
		{struct {
			A byText `json:"a,omitzero"`
		}{}, plain},
		{struct {
			A emptied `json:"a"`
		}{}, plain},
		{struct {
			A Embedded `json:"a,omitzero"`
		}{}, plain},
		{struct{ Embedded }{}, plain}, {struct{ *Embedded }{}, plain}, {struct{ embedded }{}, foreign}, {struct{ Count }{}, foreign},
		{struct {
			Embedded `json:"x"`
		}{}, foreign},
		{struct {
			Embedded
			B int `json:"b"`
		}{}, foreign},
		{struct {
			Embedded
			C int `json:"c"`
		}{}, plain},
		{Deep2{}, plain}, {deep1{}, foreign},
	} {
		if got := planOf(reflect.TypeOf(c.value)).form; got != c.form {
			t.Errorf("%T has the form %d and not %d", c.value, got, c.form)
		}
	}
	for value, want := range map[any]bool{byPtr{}: true, byText{}: false, embedded{}: false} {
		if got := planOf(reflect.TypeOf(value)).addressed; got != want {
			t.Errorf("%T is encoded by its address: %t", value, got)
		}
	}
}

func TestInteger(t *testing.T) {
	for literal, want := range map[string]int64{
		"3": 3, "3.0": 3, "3e2": 300, "-0.0": 0, "0e5": 0, "9007199254740991.0": 1<<53 - 1, "9007199254740993.0": 1<<53 + 1, "-9007199254740993.0": -1<<53 - 1,
		"1." + strings.Repeat("0", 62): 1, "9223372036854775807.0": 1<<63 - 1, "-9223372036854775808.0": -1 << 63,
	} {
		if got, ok := integer(literal); !ok || got != want {
			t.Errorf("%s is %d, %t", literal, got, ok)
		}
	}
	for _, literal := range []string{"3.5", "1e-400", "1e400", "9223372036854775808.0", "-9223372036854775809.0", "9007199254740993.5", "1e19", "1." + strings.Repeat("0", 63), "0." + string(make([]byte, 70))} {
		if got, ok := integer(literal); ok {
			t.Errorf("%q is %d", literal, got)
		}
	}
}
