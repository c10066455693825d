package picture

import (
	"image/color"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// space is a colour space: 8.6. Colours are shown as a screen shows those of the device;
// profiles are not applied.
type space struct {
	kind   spaceKind
	base   spaceKind // of an indexed one
	lookup []byte    // its colours, in the base
}

type spaceKind uint8

const (
	gray spaceKind = iota
	rgb
	cmyk
	tint // of one ink, shown as black
	indexed
)

const (
	maxComponents = 4
	maxSpaces     = 8 // in one another
)

// components returns how many numbers make a colour.
func (s space) components() int {
	if s.kind == indexed {
		return 1
	}
	return s.kind.components()
}

func (k spaceKind) components() int {
	switch k {
	case rgb:
		return 3
	case cmyk:
		return 4
	}
	return 1
}

// color returns a colour. Values are of 255; that of an indexed space is an index.
func (s space) color(v []byte) color.NRGBA {
	kind := s.kind
	if kind == indexed {
		n := s.base.components()
		at := int(v[0]) * n
		if at+n > len(s.lookup) {
			return color.NRGBA{A: 255}
		}
		kind, v = s.base, s.lookup[at:at+n]
	}
	switch kind {
	case rgb:
		return color.NRGBA{v[0], v[1], v[2], 255}
	case cmyk:
		ink := func(c byte) byte { return byte(int(255-c) * int(255-v[3]) / 255) }
		return color.NRGBA{ink(v[0]), ink(v[1]), ink(v[2]), 255}
	case tint:
		return color.NRGBA{255 - v[0], 255 - v[0], 255 - v[0], 255}
	}
	return color.NRGBA{v[0], v[0], v[0], 255}
}

// colorSpace reads a colour space. It returns false for one that is not supported.
func colorSpace(f *object.File, v object.Value, resources object.Dict, depth int) (space, bool) {
	if depth > maxSpaces {
		return space{}, false
	}
	a := f.Array(v)
	name := f.Name(v)
	if len(a) > 0 {
		name = f.Name(a[0])
	}
	second := func() object.Value {
		if len(a) > 1 {
			return a[1]
		}
		return nil
	}
	switch name {
	case "DeviceGray", "CalGray", "G":
		return space{kind: gray}, true
	case "DeviceRGB", "CalRGB", "RGB":
		return space{kind: rgb}, true
	case "DeviceCMYK", "CMYK":
		return space{kind: cmyk}, true
	case "Separation":
		return space{kind: tint}, true
	case "DeviceN":
		switch len(f.Array(second())) {
		case 1:
			return space{kind: tint}, true
		case 4: // the four process colours, nearly always
			return space{kind: cmyk}, true
		}
		return space{}, false
	case "ICCBased":
		profile := f.Dict(second())
		switch n, _ := f.Int(profile["N"]); n {
		case 1:
			return space{kind: gray}, true
		case 3:
			return space{kind: rgb}, true
		case 4:
			return space{kind: cmyk}, true
		}
		return space{}, false
	case "Indexed", "I":
		base, ok := colorSpace(f, second(), resources, depth+1)
		if !ok || len(a) < 4 || base.kind == indexed {
			return space{}, false
		}
		return space{indexed, base.kind, lookup(f, a[3])}, true
	}
	if named := f.Dict(resources["ColorSpace"])[name]; named != nil && len(a) == 0 {
		return colorSpace(f, named, nil, depth+1)
	}
	return space{}, false
}

// lookup returns the colours of an indexed space.
func lookup(f *object.File, v object.Value) []byte {
	switch v := f.Resolve(v).(type) {
	case object.String:
		return v
	case *object.Stream:
		data, _, _ := f.Data(v) // the colours that there are
		return data
	}
	return nil
}

// spaceName returns the name of a colour space, for messages.
func spaceName(f *object.File, v object.Value) string {
	if a := f.Array(v); len(a) > 0 {
		v = a[0]
	}
	if name := f.Name(v); name != "" {
		return "the colour space " + string(name)
	}
	return "a colour space without a name"
}
