package xlsx

import "testing"

func TestShift(t *testing.T) {
	for _, c := range []struct {
		formula    string
		rows, cols int
		want       string
	}{
		{"A2*2", 3, 0, "A5*2"},
		{"$A2+A$2+$A$2", 1, 1, "$A3+B$2+$A$2"},
		{"SUM(A1:B3)", 1, 2, "SUM(C2:D4)"},
		{"SUM(A:A)+SUM(2:3)+SUM($B:C)", 1, 1, "SUM(B:B)+SUM(3:4)+SUM($B:D)"},
		{"LOG10(A1)&\"A1\"", 1, 0, "LOG10(A2)&\"A1\""},
		{"'It''s A1'!A1+Sheet1!B2+A1!A1", 1, 0, "'It''s A1'!A2+Sheet1!B3+A1!A2"},
		{"[1]Sheet1!A1+Orders[A1]", 1, 0, "[1]Sheet1!A2+Orders[A1]"},
		{"A1:INDEX(B1:B9,2)", 1, 0, "A2:INDEX(B2:B10,2)"},
		{"TRUE+1.5E3+Name_A1+XFE1+A1048577", 1, 1, "TRUE+1.5E3+Name_A1+XFE1+A1048577"},
		{"Sheet1:Sheet3!A1", 1, 1, "Sheet1:Sheet3!B2"},
		{"A1", -1, -1, "XFD1048576"},
		{"IF(A1>0,\"x", 1, 0, "IF(A2>0,\"x"},
		{"1:3", 2, 0, "3:5"},
	} {
		if got := shift(c.formula, c.rows, c.cols); got != c.want {
			t.Errorf("%s by %d, %d is %s", c.formula, c.rows, c.cols, got)
		}
	}
}
