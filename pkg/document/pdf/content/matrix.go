package content

import "github.com/helve-dev/helve/pkg/document/pdf/object"

// Matrix is a transformation [a b c d e f]: 8.3.4.
type Matrix [6]float64

// identity changes nothing.
var identity = Matrix{1, 0, 0, 1, 0, 0}

// Times returns the transformation that is m first, then n.
func (m Matrix) Times(n Matrix) Matrix {
	return Matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// Point returns where a point comes to lie.
func (m Matrix) Point(x, y float64) (float64, float64) {
	return x*m[0] + y*m[2] + m[4], x*m[1] + y*m[3] + m[5]
}

// MatrixOf returns an array of six numbers, and Identity if v is none.
func MatrixOf(file *object.File, v object.Value) Matrix {
	m := identity
	list := file.Array(v)
	if len(list) != len(m) {
		return m
	}
	for i := range m {
		m[i], _ = file.Number(list[i])
	}
	return m
}
