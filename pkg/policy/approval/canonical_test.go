package approval

import (
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{` { "b" : [ 1.0, 2e2, -0, 0.1, 1E-7, 1e21 ] , "a" : null } `, `{"a":null,"b":[1,200,0,0.1,1e-7,1e+21]}`},
		{`{"\u20ac":1,"\ud83d\ude00":2,"\ufb33":3,"a":"\u003c\/"}`, "{\"a\":\"</\",\"€\":1,\"😀\":2,\"\ufb33\":3}"},
		{`9007199254740993`, `9007199254740993`}, {`123456789012345678901234567890`, `123456789012345678901234567890`}, {`9007199254740992.0`, `9007199254740992`},
		{`-9007199254740992.0`, `-9007199254740992`}, {`1152921504606846976.0`, `1152921504606847000`}, {`-0.0`, `0`}, {`-2.50e1`, `-25`}, {`9223372036854775807.0`, `9223372036854776000`},
	} {
		got, err := Canonical([]byte(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v, want %s", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{`{"a":1,"\u0061":2}`, `{`, ``, `1 2`, `1e999`, `["\ud83d"]`, `{1:2}`, `{"a"`, `{"a":1,"b`} {
		if got, err := Canonical([]byte(in)); err == nil {
			t.Errorf("%s: %s", in, got)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"a":[1.0,{"c":"x","b":null}]}`))
	f.Add([]byte("-0.0e-5"))
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := Canonical(data)
		if err != nil {
			return
		}
		twice, err := Canonical(once)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("%q, then %q, %v", once, twice, err)
		}
	})
}
