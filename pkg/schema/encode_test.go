package schema_test

import (
	"bytes"
	"encoding/json"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/schema"
)

// theirs is what encoding/json makes of a value.
func theirs(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

type (
	name    string
	octet   byte
	shouted string
	pointed struct{ A int }
	Inner   struct {
		X int    `json:"x"`
		Y string `json:"y,omitempty"`
	}
	Deeper struct {
		*Inner
		Z []Inner `json:"z"`
	}
	hidden  struct{ Seen int }
	Text    string
	nothing int
	strange struct {
		P pointed `json:"p,string"` //nolint:staticcheck // a tag that is not meant like this must be read alike
	}
	both struct {
		A int `json:"a,string"`
	}
)

func (s shouted) MarshalText() ([]byte, error)  { return []byte(strings.ToUpper(string(s))), nil }
func (p *pointed) MarshalJSON() ([]byte, error) { return []byte(` {"by" : "pointer"}`), nil }
func (b *both) MarshalText() ([]byte, error)    { return []byte("<both>"), nil }
func (n nothing) IsZero() bool                  { return n == 7 }

// values are of every kind of type that there is.
func values() []any {
	type plain struct {
		A        int `json:"a"`
		B        bool
		C        string            `json:"c,omitempty"`
		D        []string          `json:"d,omitempty"`
		E        map[string]any    `json:"e,omitzero"`
		F        *Inner            `json:"f,omitempty"`
		G        any               `json:"g"`
		H        [2]uint8          `json:"h,omitempty"`
		I        float64           `json:"i,omitempty"`
		J        []byte            `json:"j"`
		K        time.Time         `json:"k"`
		L        struct{ M name }  `json:"l,omitempty"` //nolint:modernize // a tag that is not meant like this must be read alike
		N        map[int]string    `json:"n"`
		O        json.RawMessage   `json:"o,omitempty"`
		P        json.Number       `json:"p"`
		Q        shouted           `json:"q"`
		R        map[shouted]int   `json:"r"`
		S        pointed           `json:"s"`
		T        *pointed          `json:"t"`
		U        []pointed         `json:"u"`
		V        []octet           `json:"v"`
		W        netip.Addr        `json:"w"`
		X        map[name][]string `json:"x"`
		Y        error             `json:"y"`
		Skipped  int               `json:"-"`
		Dash     int               `json:"-,"` //nolint:staticcheck // a tag that is not meant like this must be read alike
		internal int
	}
	full := plain{
		A: -3, B: true, C: "<&>\u2028\x00\x1f\x7f\b\f\n\r\t\"\\/\xff", D: []string{"", "中文", "\U0001F600"}, E: map[string]any{"z": 1.5, "a": nil, "m": []any{true, "x", map[string]any{}}},
		F: &Inner{1, "y"}, G: Deeper{Inner: &Inner{X: 2}, Z: []Inner{{3, ""}}}, H: [2]uint8{1, 2}, I: 1e21, J: []byte("bytes"), K: time.Unix(1, 5).UTC(),
		N: map[int]string{2: "b", 10: "a"}, O: json.RawMessage(` [ 1 , "<" ] `), P: "12.50", Q: "loud", R: map[shouted]int{"b": 1, "a": 2}, T: &pointed{}, U: []pointed{{}},
		V: []octet{1, 2}, W: netip.MustParseAddr("::1"), X: map[name][]string{"k": {}, "j": nil}, internal: 1,
	}
	full.L.M = "named"
	return []any{
		nil, true, 0, int8(-1), uint64(math.MaxUint64), "s", name("n"), 1.0, float32(0.1), math.Copysign(0, -1), []int(nil), []int{}, map[string]int(nil), (*Inner)(nil), struct{}{},
		plain{}, full, &full, []plain{{}, full}, map[string]*plain{"x": &full}, []any{full, &full},
		Deeper{}, &Deeper{Inner: &Inner{}}, pointed{}, &pointed{}, shouted("x"), new(shouted), json.RawMessage(nil), json.RawMessage("null"),
		struct{ hidden }{hidden{1}}, struct {
			Inner
			Z int `json:"z"`
		}{Inner{1, "y"}, 2}, struct {
			Inner
			X int `json:"x"` // hides the other
		}{Inner{1, "y"}, 2},
		struct {
			Inner `json:"named"`
			Text
		}{Inner{1, ""}, "t"},
		struct {
			A int       `json:"a,string"`
			B int       `json:"b\"c"` //nolint:staticcheck // a tag that is not meant like this must be read alike
			C time.Time `json:"c,omitzero"`
			D nothing   `json:"d,omitzero"`
			E *nothing  `json:"e,omitzero"`
		}{1, 2, time.Time{}, 7, new(nothing)},
		struct{ time.Time }{time.Unix(1, 0).UTC()}, strange{}, &strange{}, []strange{{}}, both{}, &both{}, []both{{}}, map[string]both{"x": {}}, time.Time{}.AddDate(99999, 0, 0),
		schema.Document{{Name: "b", Value: 1}, {Name: "a<", Value: schema.Document(nil)}}, []any{schema.Document{{Name: "x", Value: full}}},
		func() {}, make(chan int), math.NaN(), complex(1, 1), map[bool]int{true: 1}, json.RawMessage("{"), []any{json.Number("x")},
	}
}

func TestMarshal(t *testing.T) {
	for i, v := range values() {
		want, wrong := theirs(v)
		got, err := schema.Marshal(v)
		if (err != nil) != (wrong != nil) || err == nil && string(got) != want {
			t.Errorf("value %d, %T:\n%s (%v)\n%s (%v)", i, v, got, err, want, wrong)
		}
	}
}

// FuzzMarshal holds the encoder against encoding/json, with any text and any
// JSON.
func FuzzMarshal(f *testing.F) {
	f.Add("a\u2029\xf0\x9f<>&\x01", []byte(`{"b":[1,-0.5e9,null,true,"x"],"a":{"":{}}}`))
	f.Fuzz(func(t *testing.T, s string, in []byte) {
		v := struct {
			S string `json:"s,omitempty"`
			M map[string]string
			A any
			R json.RawMessage
		}{S: s, M: map[string]string{s: s}}
		if json.Unmarshal(in, &v.A) == nil {
			v.R = in
		}
		want, wrong := theirs(v)
		got, err := schema.Marshal(v)
		if err != nil || wrong != nil || string(got) != want {
			t.Errorf("%s (%v)\n%s (%v)", got, err, want, wrong)
		}
		var back struct{ S string }
		if err := json.Unmarshal(got, &back); err != nil || utf8.ValidString(s) && back.S != s {
			t.Errorf("%q came back as %q, %v", s, back.S, err)
		}
	})
}

// A second value of a type finds what the first one worked out.
func BenchmarkMarshal(b *testing.B) {
	v := []Deeper{{Inner: &Inner{X: 1, Y: "some text"}, Z: []Inner{{1, "a"}, {2, "b"}}}, {}}
	for name, marshal := range map[string]func(any) error{
		"helve": func(v any) error { _, err := schema.Marshal(v); return err },
		"std":   func(v any) error { _, err := theirs(v); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := marshal(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
