package picture

import (
	"image"
	"image/color"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// raster is an image whose pixels are decoded when they are asked for: an image in memory
// would take four bytes for each.
type raster struct {
	width, height int
	bits          int // of a component: 1, 2, 4, 8 or 16
	components    int
	stride        int // bytes of a row
	data          []byte
	space         space
	values        [maxComponents][256]byte // the values of each component's samples, of 255
	palette       color.Palette            // of an image of one component
	alpha         *raster                  // of the same size; nil if there is none
}

// newRaster returns an image of decoded data. Rows that the data does not reach are left
// out, so that what is claimed costs nothing. Of a fax, columns are the pixels of a row, of
// any other image 0.
func newRaster(f *object.File, s *object.Stream, resources object.Dict, data []byte, columns int) (*raster, error) {
	width, height := edge(f, s, "Width"), edge(f, s, "Height")
	m := &raster{width: width, height: height, bits: 8, components: 1, data: data}
	if n, ok := f.Int(s.Dict["BitsPerComponent"]); ok && n >= 1 && n <= 16 {
		m.bits = int(n)
	}
	mask, _ := f.Bool(s.Dict["ImageMask"])
	if mask || columns > 0 {
		m.bits = 1
	}
	if !mask && s.Dict["ColorSpace"] != nil {
		sp, ok := colorSpace(f, s.Dict["ColorSpace"], resources, 0)
		if !ok {
			return nil, unsupported(spaceName(f, s.Dict["ColorSpace"]))
		}
		m.space = sp
		m.components = sp.components()
	}
	if m.bits > 8 {
		m.bits = 16
	} else if 8%m.bits != 0 {
		return nil, bad(nil)
	}
	m.stride = (max(width*m.components, columns)*m.bits + 7) / 8
	if width == 0 || height == 0 {
		return nil, bad(nil)
	}
	m.height = min(height, (len(data)+m.stride-1)/m.stride)
	if m.width*m.height > maxPixels {
		return nil, large(nil)
	}
	m.readDecode(f, s)
	if soft := f.Stream(s.Dict["SMask"]); soft != nil {
		m.alpha = softMask(f, soft, m)
	}
	if m.components == 1 && m.bits <= 8 && m.alpha == nil {
		m.palette = make(color.Palette, 1<<m.bits)
		for i := range m.palette {
			m.palette[i] = m.color([]byte{byte(i)})
		}
	}
	return m, nil
}

// softMask returns how opaque the pixels are: 11.5.3. One of another size is not used.
func softMask(f *object.File, s *object.Stream, of *raster) *raster {
	if edge(f, s, "Width") != of.width || edge(f, s, "Height") < of.height || s.Dict["SMask"] != nil {
		return nil
	}
	data, rest, _ := f.Data(s) // rows that are missing are opaque
	if rest != nil {
		return nil
	}
	m, err := newRaster(f, s, nil, data, 0)
	if err != nil || m.components != 1 {
		return nil
	}
	return m
}

// readDecode reads what values the samples stand for: table 88.
func (m *raster) readDecode(f *object.File, s *object.Stream) {
	given := f.Array(s.Dict["Decode"])
	most := float64(int(1)<<min(m.bits, 8) - 1)
	for i := range m.components {
		low, high := 0.0, 1.0
		if m.space.kind == indexed {
			high = most
		}
		if len(given) >= 2*m.components {
			a, okA := f.Number(given[2*i])
			b, okB := f.Number(given[2*i+1])
			if okA && okB {
				low, high = a, b
			}
		}
		if m.space.kind != indexed {
			low, high = 255*low, 255*high
		}
		for v := range m.values[i] {
			m.values[i][v] = byte(max(0, min(255, low+float64(v)*(high-low)/most+.5)))
		}
	}
}

// sample returns a component as it stands in the data, of 16 bits the high 8. What the data
// does not reach is white, mostly.
func (m *raster) sample(x, y, component int) byte {
	at := x*m.components + component
	row := y * m.stride
	switch m.bits {
	case 8:
		row += at
	case 16:
		row += 2 * at
	default:
		row += at * m.bits / 8
	}
	if row >= len(m.data) {
		return 0xff & (1<<min(m.bits, 8) - 1)
	}
	if m.bits >= 8 {
		return m.data[row]
	}
	return m.data[row] >> (8 - m.bits - at*m.bits%8) & (1<<m.bits - 1)
}

// color returns the colour of samples, which it changes.
func (m *raster) color(samples []byte) color.NRGBA {
	for i, s := range samples {
		samples[i] = m.values[i][s]
	}
	return m.space.color(samples)
}

// at returns the colour of a pixel, over white where it is not opaque.
func (m *raster) at(x, y int) color.NRGBA {
	var samples [maxComponents]byte
	for i := range m.components {
		samples[i] = m.sample(x, y, i)
	}
	c := m.color(samples[:m.components])
	if m.alpha != nil {
		opaque := m.alpha.at(x, y).R
		over := func(v byte) byte { return byte((int(v)*int(opaque) + 255*(255-int(opaque))) / 255) }
		c = color.NRGBA{over(c.R), over(c.G), over(c.B), 255}
	}
	return c
}

// paletted is a raster of one component.
type paletted struct{ *raster }

func (m paletted) ColorModel() color.Model     { return m.palette }
func (m paletted) Bounds() image.Rectangle     { return image.Rect(0, 0, m.width, m.height) }
func (m paletted) At(x, y int) color.Color     { return m.palette[m.sample(x, y, 0)] }
func (m paletted) ColorIndexAt(x, y int) uint8 { return m.sample(x, y, 0) }

// trueColor is any other raster.
type trueColor struct{ *raster }

func (trueColor) Opaque() bool              { return true }
func (trueColor) ColorModel() color.Model   { return color.NRGBAModel }
func (m trueColor) Bounds() image.Rectangle { return image.Rect(0, 0, m.width, m.height) }
func (m trueColor) At(x, y int) color.Color { return m.at(x, y) }
