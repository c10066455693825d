package patch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// twins are two functions with the same lines.
var twins = text("func f() {", "\tx := 1", "\treturn x", "}", "", "func g() {", "\tx := 1", "\treturn x", "}")

func TestApply(t *testing.T) {
	const unified = "--- a/x.go\n+++ b/x.go\n"
	const envelope = "*** Begin Patch\n*** Update File: x.go\n"
	for _, c := range []struct {
		name, src, patch, want string
		hunks                  []Applied
	}{
		{"exact", "a\nb\nc\n", unified + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nB\nc\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 2)}}},
		{"offset", "0\n0\na\nb\nc\n", unified + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n+X\n c\n", "0\n0\na\nB\nX\nc\n",
			[]Applied{{Strategy: edit.Exact, Offset: 2, Old: lr(4, 4), New: lr(4, 5)}}},
		{"two hunks", "a\nb\nc\nd\ne\n", unified + "@@\n a\n+1\n+2\n b\n@@\n d\n-e\n", "a\n1\n2\nb\nc\nd\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 1), New: lr(2, 3)}, {Index: 1, Strategy: edit.Exact, Old: lr(5, 5), New: lr(7, 6)}}},
		{"trailing white space", "a \nb\t\nc\n", unified + "@@\n a\n-b\n+B\n c\n", "a \nB\nc\n",
			[]Applied{{Strategy: edit.Rtrim, Old: lr(2, 2), New: lr(2, 2)}}},
		{"typography", "say “hi”\nold – x\n", unified + "@@\n say \"hi\"\n-old - x\n+new - x\n", "say “hi”\nnew – x\n",
			[]Applied{{Strategy: edit.Unicode, Old: lr(2, 2), New: lr(2, 2)}}},
		{"indentation", "\tif a {\n\t\tb()\n\t}\n", unified + "@@\n if a {\n-    b()\n+    c()\n+    if d {\n+        e()\n+    }\n }\n",
			"\tif a {\n\t\tc()\n\t\tif d {\n\t\t\te()\n\t\t}\n\t}\n", []Applied{{Strategy: edit.Indent, Old: lr(2, 2), New: lr(2, 5)}}},
		{"context without its space", "    a()\n    b()\n    c()\n", unified + "@@\n    a()\n-    b()\n+    B()\n    c()\n", "    a()\n    B()\n    c()\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 2)}}},
		{"insertion below context without its space", "    a()\n    c()\n", unified + "@@\n    a()\n+    B()\n    c()\n", "    a()\n    B()\n    c()\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 1), New: lr(2, 2)}}},
		{"context of which some has lost its space", "    a()\n-- b\nc\n    d()\n", unified + "@@\n    a()\n -- b\n+    B()\nc\n    d()\n", "    a()\n-- b\n    B()\nc\n    d()\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(3, 2), New: lr(3, 3)}}},
		{"any indentation", "  aaaa()\n\t\tbbbb()\ncccc()\n", unified + "@@\n aaaa()\n-bbbb()\n+BBBB()\n   cccc()\n", "  aaaa()\n\t\tBBBB()\ncccc()\n",
			[]Applied{{Strategy: edit.IndentLoose, Old: lr(2, 2), New: lr(2, 2)}}},
		{"white space inside", "a\ncity:  Paris\nb\n", envelope + "@@\n-city: Paris\n+city: Rome\n*** End Patch\n", "a\ncity: Rome\nb\n",
			[]Applied{{Strategy: edit.Whitespace, Old: lr(2, 2), New: lr(2, 2)}}},
		{"other blank lines", "aaaa()\n\nbbbb()\ncccc()\n", "x\n<<<<<<< SEARCH\naaaa()\nbbbb()\ncccc()\n=======\naaaa()\nbbbb()\nCCCC()\n>>>>>>> REPLACE\n", "aaaa()\n\nbbbb()\nCCCC()\n",
			[]Applied{{Strategy: edit.BlankLines, Old: lr(4, 4), New: lr(4, 4)}}},
		{"other blank lines, indented otherwise", "\taaaa()\n\n\tbbbb()\n", unified + "@@\n aaaa()\n-bbbb()\n+BBBB()\n+x()\n", "\taaaa()\n\n\tBBBB()\n\tx()\n",
			[]Applied{{Strategy: edit.BlankLines, Old: lr(3, 3), New: lr(3, 4)}}},
		{"blank lines around", "\ta\nb\n", "x\n<<<<<<< SEARCH\n\nb\n\n=======\n\nB\n\n>>>>>>> REPLACE\n", "\ta\nB\n",
			[]Applied{{Strategy: edit.EdgeBlank, Old: lr(2, 2), New: lr(2, 2)}}},
		{"line numbers", "foo_a\nfoo_b\n", "x\n<<<<<<< SEARCH\n1 | foo_a\n2 | foo_b\n=======\n1 | foo_a\n2 | foo_c\n>>>>>>> REPLACE\n", "foo_a\nfoo_c\n",
			[]Applied{{Strategy: edit.LineNumbers, Old: lr(2, 2), New: lr(2, 2)}}},
		{"line numbers in a hunk", "foo_a\nfoo_b\n", unified + "@@\n 1|foo_a\n-2|foo_b\n+2|foo_c\n", "foo_a\nfoo_c\n",
			[]Applied{{Strategy: edit.LineNumbers, Old: lr(2, 2), New: lr(2, 2)}}},
		{"entities", "if a < b {\n", "x\n<<<<<<< SEARCH\nif a &lt; b {\n=======\nif a &gt; b {\n>>>>>>> REPLACE\n", "if a > b {\n",
			[]Applied{{Strategy: edit.Entities, Old: lr(1, 1), New: lr(1, 1)}}},
		{"escapes", "say(\"foo\")\n", envelope + `@@
-say(\"foo\")
+say(\"bar\")
*** End Patch
`, "say(\"bar\")\n", []Applied{{Strategy: edit.Unescape, Old: lr(1, 1), New: lr(1, 1)}}},
		{"a fence in both sections", "foo_a()\n", "x\n<<<<<<< SEARCH\n```go\nfoo_a()\n```\n=======\n```go\nfoo_b()\n```\n>>>>>>> REPLACE\n", "foo_b()\n",
			[]Applied{{Strategy: edit.Quoted, Old: lr(1, 1), New: lr(1, 1)}}},
		{"dashes that are no content", "foo_a()\nb\n", "x\n<<<<<<< SEARCH\n-------\nfoo_a()\n=======\nfoo_b()\n>>>>>>> REPLACE\n", "foo_b()\nb\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(1, 1), New: lr(1, 1)}}},
		{"dashes that are content", "-------\nfoo_a()\n", "x\n<<<<<<< SEARCH\n-------\nfoo_a()\n=======\nfoo_b()\n>>>>>>> REPLACE\n", "foo_b()\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(1, 2), New: lr(1, 1)}}},
		{"a single line far from its number", "new\nnew\nnew\nint alpha = 1;\nend\n", unified + "@@ -1 +1 @@\n-int alpha = 1;\n+int beta = 22;\n", "new\nnew\nnew\nint beta = 22;\nend\n",
			[]Applied{{Strategy: edit.Exact, Offset: 3, Old: lr(4, 4), New: lr(4, 4)}}},
		{"a single line between two that have moved", "n\nint alpha;\nm\nchar beta;\nm\nlong gamma;\n", unified + "@@ -1 +1 @@\n-int alpha;\n+A\n@@ -2 +2 @@\n-char beta;\n+B\n@@ -3 +3 @@\n-long gamma;\n+C\n", "n\nA\nm\nB\nm\nC\n",
			nil},
		{"fuzz", "A\nb\nccc\ndddddd\ne\nf\n", unified + "@@ -1,6 +1,6 @@\n a\n b\n ccc\n-dddddd\n+D\n e\n f\n", "A\nb\nccc\nD\ne\nf\n",
			[]Applied{{Strategy: edit.Exact, Fuzz: 1, Old: lr(4, 4), New: lr(4, 4)}}},
		{"number decides", twins, unified + "@@ -7,2 +7,2 @@\n \tx := 1\n-\treturn x\n+\treturn 2\n", strings.Replace(twins, "\treturn x\n}\n\nfunc g() {\n\tx := 1\n\treturn x", "\treturn x\n}\n\nfunc g() {\n\tx := 1\n\treturn 2", 1),
			[]Applied{{Strategy: edit.Exact, Old: lr(8, 8), New: lr(8, 8)}}},
		{"function decides", twins, envelope + "@@ func g() {\n \tx := 1\n-\treturn x\n+\treturn 2\n*** End Patch\n", twins[:len(twins)-len("\treturn x\n}\n")] + "\treturn 2\n}\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(8, 8), New: lr(8, 8)}}},
		{"part of the function's line decides", twins, envelope + "@@ func f\n \tx := 1\n-\treturn x\n+\treturn 2\n*** End Patch\n", strings.Replace(twins, "return x", "return 2", 1),
			[]Applied{{Strategy: edit.Exact, Old: lr(3, 3), New: lr(3, 3)}}},
		{"order decides", twins, envelope + "@@\n-func g() {\n+func h() {\n@@\n-\treturn x\n+\treturn 2\n*** End Patch\n",
			strings.Replace(twins[:len(twins)-len("\treturn x\n}\n")]+"\treturn 2\n}\n", "func g", "func h", 1),
			[]Applied{{Strategy: edit.Exact, Old: lr(6, 6), New: lr(6, 6)}, {Index: 1, Strategy: edit.Exact, Old: lr(8, 8), New: lr(8, 8)}}},
		{"order of two decides", twins, envelope + "@@\n \tx := 1\n-\treturn x\n+\treturn 2\n@@\n \tx := 1\n-\treturn x\n+\treturn 3\n*** End Patch\n",
			strings.Replace(strings.Replace(twins, "return x", "return 2", 1), "return x", "return 3", 1),
			[]Applied{{Strategy: edit.Exact, Old: lr(3, 3), New: lr(3, 3)}, {Index: 1, Strategy: edit.Exact, Old: lr(8, 8), New: lr(8, 8)}}},
		{"end decides", "a\nb\na\n", envelope + "@@\n-a\n+c\n*** End of File\n*** End Patch\n", "a\nb\nc\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(3, 3), New: lr(3, 3)}}},
		{"end decides, before blank lines", "a\nb\na\n\n", envelope + "@@\n-a\n+c\n*** End of File\n*** End Patch\n", "a\nb\nc\n\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(3, 3), New: lr(3, 3)}}},
		{"end is said of lines in the middle", "a\nb\nc\n", envelope + "@@\n-b\n+B\n*** End of File\n*** End Patch\n", "a\nB\nc\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 2)}}},
		{"missing newline decides", "a\nb\na", unified + "@@\n-a\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n", "a\nb\nc",
			[]Applied{{Strategy: edit.Exact, Old: lr(3, 3), New: lr(3, 3)}}},
		{"number of a block decides", twins, "x\n<<<<<<< SEARCH\n:start_line:8\n-------\n\treturn x\n=======\n\treturn 2\n>>>>>>> REPLACE\n", twins[:len(twins)-len("\treturn x\n}\n")] + "\treturn 2\n}\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(8, 8), New: lr(8, 8)}}},
		{"number decides, moved as its neighbour is", "new\n" + twins, unified + "@@ -1,2 +1,2 @@\n func f() {\n-\tx := 1\n+\tx := 3\n@@ -7,2 +7,2 @@\n \tx := 1\n-\treturn x\n+\treturn 2\n",
			strings.Replace("new\n"+twins[:len(twins)-len("\treturn x\n}\n")]+"\treturn 2\n}\n", "x := 1", "x := 3", 1),
			[]Applied{{Strategy: edit.Exact, Offset: 1, Old: lr(3, 3), New: lr(3, 3)}, {Index: 1, Strategy: edit.Exact, Offset: 1, Old: lr(9, 9), New: lr(9, 9)}}},
		{"a line of signs is added once more", "}\naaaa\n", unified + "@@\n+}\n aaaa\n", "}\n}\naaaa\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 1), New: lr(2, 2)}}},
		{"a line is added where another was", "aaaa\nold line\n", unified + "@@\n aaaa\n+new line\n", "aaaa\nnew line\nold line\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 1), New: lr(2, 2)}}},
		{"a line is added above the first", "aaaa\n", unified + "@@\n+new line\n aaaa\n", "new line\naaaa\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(1, 0), New: lr(1, 1)}}},
		{"a line is added by number once more", "a\nxx\n", unified + "@@ -1,0 +2 @@\n+xx\n", "a\nxx\nxx\n",
			[]Applied{{Strategy: AtLine, Old: lr(2, 1), New: lr(2, 2)}}},
		{"hunks out of order", "a\nb\nc\nd\n", envelope + "@@\n-d\n+D\n@@\n-a\n+A\n*** End Patch\n", "A\nb\nc\nD\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(4, 4), New: lr(4, 4)}, {Index: 1, Strategy: edit.Exact, Old: lr(1, 1), New: lr(1, 1)}}},
		{"hunks that share context", "a\nb\nc\n", envelope + "@@\n-a\n+A\n b\n@@\n b\n-c\n+C\n*** End Patch\n", "A\nb\nC\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(1, 1), New: lr(1, 1)}, {Index: 1, Strategy: edit.Exact, Old: lr(3, 3), New: lr(3, 3)}}},
		{"append", "a\nb\n", envelope + "@@\n+c\n*** End Patch\n", "a\nb\nc\n",
			[]Applied{{Strategy: AtEnd, Old: lr(3, 2), New: lr(3, 3)}}},
		{"append without final newline", "a\r\nb", envelope + "@@\n+c\n*** End Patch\n", "a\r\nb\r\nc",
			[]Applied{{Strategy: AtEnd, Old: lr(2, 2), New: lr(2, 3)}}},
		{"insert by number", "a\nb\nc\n", unified + "@@ -2,0 +3 @@\n+x\n", "a\nb\nx\nc\n",
			[]Applied{{Strategy: AtLine, Old: lr(3, 2), New: lr(3, 3)}}},
		{"into an empty text", "", unified + "@@ -0,0 +1 @@\n+x\n", "x\n",
			[]Applied{{Strategy: AtEnd, Old: lr(1, 0), New: lr(1, 1)}}},
		{"final newline added", "a\nb", unified + "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 2)}}},
		{"final newline removed", "a\nb\n", unified + "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 2)}}},
		{"final newline unknown to the patch", "a\nb", unified + "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a\nB",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 2)}}},
		{"no newline said in the middle", "a\nb\nc\n", unified + "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n", "a\nB\nc\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 2)}}},
		{"mixed endings", "a\r\nb\nc\r\nd\n", unified + "@@\n a\n+1\n b\n-c\n+2\n+3\n d\n", "a\r\n1\r\nb\n2\r\n3\r\nd\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 3), New: lr(2, 5)}}},
		{"endings that the patch changes", "a\r\nb\r\n", unified + "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n", "a\r\nb\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 2)}}},
		{"lone carriage returns", "a\rb\rc\r", unified + "@@\n a\n-b\n+B\n+X\n", "a\rB\rX\rc\r",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 3)}}},
		{"blocks in any order", "a\nb\nc\n", "x\n<<<<<<< SEARCH\nc\n=======\nC\n>>>>>>> REPLACE\n<<<<<<< SEARCH\na\n=======\nA\n>>>>>>> REPLACE\n", "A\nb\nC\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(3, 3), New: lr(3, 3)}, {Index: 1, Strategy: edit.Exact, Old: lr(1, 1), New: lr(1, 1)}}},
		{"lone carriage returns among other endings", "x\naaa\rbbb\rccc\ny\n", unified + "@@ -2,3 +2,4 @@\n aaa\n-bbb\n+BBB\n+new\n ccc\n", "x\naaa\rBBB\rnew\rccc\ny\n",
			[]Applied{{Strategy: edit.LoneCR, Old: lr(2, 2), New: lr(2, 2)}}},
		{"lone carriage returns, and a hunk elsewhere", "x\r\naaa\rbbb\r\ny\r\n", "x\n<<<<<<< SEARCH\naaa\nbbb\n=======\naaa\nBBB\n>>>>>>> REPLACE\n<<<<<<< SEARCH\ny\n=======\nY\nz\n>>>>>>> REPLACE\n", "x\r\naaa\rBBB\r\nY\r\nz\r\n",
			[]Applied{{Strategy: edit.LoneCR, Old: lr(2, 2), New: lr(2, 2)}, {Index: 1, Strategy: edit.Exact, Old: lr(3, 3), New: lr(3, 4)}}},
		{"lone carriage returns, moved", "new\nnew\naaa\rbbb\rccc\nyyyyyy\nzz\n", unified + "@@ -1,3 +1,2 @@\n aaa\n-bbb\n ccc\n@@ -2,2 +2,2 @@\n-yyyyyy\n+Y\n zz\n", "new\nnew\naaa\rccc\nY\nzz\n",
			[]Applied{{Strategy: edit.LoneCR, Offset: 2, Old: lr(3, 3), New: lr(3, 3)}, {Index: 1, Strategy: edit.Exact, Offset: 2, Old: lr(4, 4), New: lr(4, 4)}}},
		{"lone carriage returns, the last lines of each go", "aaa\rbbb\nccc\rddd", envelope + "@@\n aaa\n-bbb\n ccc\n-ddd\n*** End Patch\n", "aaa\rccc\r",
			[]Applied{{Strategy: edit.LoneCR, Old: lr(1, 2), New: lr(1, 1)}}},
		{"lone carriage returns, lines added below and above", "aaa\rbbb\nccc\n", envelope + "@@\n aaa\n bbb\n+new\n@@\n+top\n aaa\n*** End Patch\n", "top\raaa\rbbb\nnew\nccc\n",
			[]Applied{{Strategy: edit.LoneCR, Old: lr(2, 1), New: lr(2, 2)}, {Index: 1, Strategy: edit.LoneCR, Old: lr(1, 1), New: lr(1, 1)}}},
		{"lone carriage returns that the patch knows", "aaa\rbbb\nccc\n", unified + "@@ -1,2 +1,2 @@\n aaa\rbbb\n-ccc\n+C\n", "aaa\rbbb\nC\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(2, 2), New: lr(2, 2)}}},
		{"neighbouring lines in two hunks", "a\nb\nc\n", envelope + "@@\n-a\n+A\n@@\n-b\n+B\n*** End Patch\n", "A\nB\nc\n", nil},
		{"two hunks at the end", "a\n", envelope + "@@\n+b\n@@ \n+c\n*** End Patch\n", "a\nb\nc\n", nil},
		{"append to a line without an end", "a", envelope + "@@\n+c\n*** End Patch\n", "a\nc", nil},
		{"above the first line, by number", "a\nb\n", unified + "@@ -0,0 +1 @@\n+x\n", "x\na\nb\n",
			[]Applied{{Strategy: AtLine, Old: lr(1, 0), New: lr(1, 1)}}},
		{"below the last line, by number", "a\nb\n", unified + "@@ -2,0 +3 @@\n+x\n", "a\nb\nx\n",
			[]Applied{{Strategy: AtLine, Old: lr(3, 2), New: lr(3, 3)}}},
		{"insert by number, with a function that is not there", "a\nb\n", unified + "@@ -1,0 +2 @@ func gone() {\n+x\n", "a\nx\nb\n", nil},
		{"number decides for the first line", "a\nb\na\n", unified + "@@ -1 +1 @@\n-a\n+A\n", "A\nb\na\n", nil},
		{"number decides, with a function that is not there", twins, unified + "@@ -7,2 +7,2 @@ func gone() {\n \tx := 1\n-\treturn x\n+\treturn 2\n", twins[:len(twins)-len("\treturn x\n}\n")] + "\treturn 2\n}\n", nil},
		{"number decides, and then the order", "a\nx\nb\ny\na\nz\nb\n", unified + "@@ -5 +5 @@\n-a\n+A\n@@\n-b\n+B\n", "a\nx\nb\ny\nA\nz\nB\n", nil},
		{"function decides, and then the number of another", "new\n" + twins + strings.ReplaceAll(twins[strings.Index(twins, "func g"):], "g()", "h()"),
			unified + "@@ -7,2 +7,2 @@\n \tx := 1\n-\treturn x\n+\treturn 2\n@@ -11,2 +11,2 @@ func h() {\n \tx := 1\n-\treturn x\n+\treturn 3\n",
			"new\n" + twins[:len(twins)-len("\treturn x\n}\n")] + "\treturn 2\n}\n" + "func h() {\n\tx := 1\n\treturn 3\n}\n", nil},
		{"four characters of a function's line decide", twins, envelope + "@@ c g(\n \tx := 1\n-\treturn x\n+\treturn 2\n*** End Patch\n", twins[:len(twins)-len("\treturn x\n}\n")] + "\treturn 2\n}\n", nil},
		{"a single line that has moved as the one before", "new\nint alpha = 1;\nm\nint beta = 2;\nint beta = 3;\n",
			unified + "@@ -1,2 +1,2 @@\n-int alpha = 1;\n+A\n m\n@@ -3 +3 @@\n-int beta = 2;\n+B\n", "new\nA\nm\nB\nint beta = 3;\n", nil},
		{"a single line far from its number, before a hunk without one", "new\nnew\nnew\nint alpha = 1;\nend_of_it()\n", unified + "@@ -1 +1 @@\n-int alpha = 1;\n+A\n@@\n-end_of_it()\n+E\n", "new\nnew\nnew\nA\nE\n", nil},
		{"fewer lines than the header says, up to the first", "aaaa()\nbbbb()\n", unified + "@@ -3,2 +3,2 @@\n-aaaa()\n+A\n bbbb()\n", "A\nbbbb()\n",
			[]Applied{{Strategy: edit.Exact, Offset: -2, Old: lr(1, 1), New: lr(1, 1)}}},
		{"fuzz, as little as possible", "A\nb\nccc\ndddddd\n", unified + "@@ -1,4 +1,4 @@\n a\n b\n ccc\n-dddddd\n+D\n", "A\nb\nccc\nD\n",
			[]Applied{{Strategy: edit.Exact, Fuzz: 1, Old: lr(4, 4), New: lr(4, 4)}}},
		{"line numbers below much context", "foo_a\nfoo_b\nfoo_c\nfoo_d\n", unified + "@@\n 1|foo_a\n 2|foo_b\n 3|foo_c\n-4|foo_d\n+4|foo_e\n", "foo_a\nfoo_b\nfoo_c\nfoo_e\n",
			[]Applied{{Strategy: edit.LineNumbers, Old: lr(4, 4), New: lr(4, 4)}}},
		{"blank lines around, indented otherwise", "\tbbbb()\n\tcccc()\n", "x\n<<<<<<< SEARCH\n\nbbbb()\ncccc()\n\n=======\n\nbbbb()\nC()\n\n>>>>>>> REPLACE\n", "\tbbbb()\n\tC()\n",
			[]Applied{{Strategy: edit.EdgeBlank, Old: lr(2, 2), New: lr(2, 2)}}},
		{"deleted", "a\nb\n", "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", "",
			[]Applied{{Strategy: edit.Exact, Old: lr(1, 2), New: lr(1, 0)}}},
		{"added", "", "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n", "a\nb", nil},
		{"copied", "a\nb\n", "diff --git a/x b/y\ncopy from x\ncopy to y\n--- a/x\n+++ b/y\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n", "A\nb\n",
			[]Applied{{Strategy: edit.Exact, Old: lr(1, 1), New: lr(1, 1)}}},
		{"moved", "a\n", "diff --git a/x b/y\nrename from x\nrename to y\n", "a\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := outcome(c.src, c.patch)
			if err != nil {
				t.Fatal(err)
			}
			if r.Text != c.want {
				t.Errorf("got %q, want %q", r.Text, c.want)
			}
			if d := cmp.Diff(c.hunks, r.Hunks); d != "" && c.hunks != nil {
				t.Error(d)
			}
			checkResult(t, c.src, r)
		})
	}
}

func lr(start, end int) edit.LineRange { return edit.LineRange{Start: start, End: end} }

func TestApplyFaults(t *testing.T) {
	const unified = "--- a/x.go\n+++ b/x.go\n"
	const envelope = "*** Begin Patch\n*** Update File: x.go\n"
	for _, c := range []struct {
		name, src, patch string
		code             fault.Code
		hunks            []fault.Code
	}{
		{"not there", "a\nb\n", unified + "@@\n a\n-c\n+d\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"every one is told", "a\nb\nc\n", unified + "@@\n-x\n+y\n@@\n-b\n+B\n@@\n-z\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound, fault.HunkNotFound}},
		{"any indentation, twice", " aaaa()\n\t\tbbbb()\ncccc()\n aaaa()\n\t\tbbbb()\ncccc()\n", unified + "@@\n aaaa()\n-bbbb()\n+BBBB()\n   cccc()\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"white space inside, twice by number", "city:  Paris\nb\ncity:  Paris\n", unified + "@@ -1 +1 @@\n-city: Paris\n+city: Rome\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"other blank lines, twice", "aaaa()\n\nbbbb()\naaaa()\n\nbbbb()\n", unified + "@@\n aaaa()\n-bbbb()\n+BBBB()\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"entities, twice", "a < bbbbb\na < bbbbb\n", unified + "@@\n-a &lt; bbbbb\n+x\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"only dashes", "foo\n", "x\n<<<<<<< SEARCH\n-------\n=======\nbar\n>>>>>>> REPLACE\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"a single line and one that resembles it", "new\nint alpha = 2;\nnew\nint alpha = 1;\n", unified + "@@ -1 +1 @@\n-int alpha = 1;\n+int beta = 22;\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"a single line and one that contains it", "new\nlong_function(with(int alpha = 1;), and_much_more_of_it)\nnew\nint alpha = 1;\n", unified + "@@ -1 +1 @@\n-int alpha = 1;\n+int beta = 22;\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"a single line that is short", "new\nnew\na = 1\n", unified + "@@ -1 +1 @@\n-a = 1\n+b = 2\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"a single line beyond what its neighbours allow", "int alpha;\nm\nm\nlong gamma;\nm\nm\nm\nm\nchar beta;\n", unified + "@@ -1 +1 @@\n-int alpha;\n+A\n@@ -3 +3 @@\n-char beta;\n+B\n@@ -4 +4 @@\n-long gamma;\n+C\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"too little is left without the outermost context", "A\nb\nx\n", unified + "@@\n a\n b\n-x\n+y\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"one place without the first line, another without the last", "X\nbb\nmmmmmm\ncc\ndd\nsep\naa\nbb\nmmmmmm\ncc\nY\n", unified + "@@\n aa\n bb\n-mmmmmm\n+M\n cc\n dd\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"an anchor too short to tell", twins, unified + "@@ g()\n \tx := 1\n-\treturn x\n+\treturn 2\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"where its header says, but not where its neighbours have moved", "n1\nn2\nalpha()\nbeta()\nfirst_line\ngap1\nalpha()\nbeta2()\ngap2\nlast_line\n",
			unified + "@@ -1,2 +1,2 @@\n-first_line\n+FIRST\n gap1\n@@ -3,2 +3,2 @@\n-alpha()\n+ALPHA()\n beta()\n@@ -5,2 +5,2 @@\n gap2\n-last_line\n+LAST\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"twice", twins, unified + "@@\n \tx := 1\n-\treturn x\n+\treturn 2\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"twice and the number fits neither", twins, unified + "@@ -4,2 +4,2 @@\n \tx := 1\n-\treturn x\n+\treturn 2\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"number and function disagree", twins, unified + "@@ -2,2 +2,2 @@ func g() {\n \tx := 1\n-\treturn x\n+\treturn 2\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"the twin of a changed line", strings.Replace(twins, "return x", "return y", 1), unified + "@@ -2,2 +2,2 @@\n \tx := 1\n-\treturn x\n+\treturn 2\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"a single line elsewhere", "a\nb\nfoo()\n", unified + "@@ -1 +1 @@\n-foo()\n+bar()\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"a removed line is never dropped", "aaa\nbbb\nccc\n", unified + "@@\n aaa\n-xxx\n-bbb\n ccc\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"without its context it is there twice", "1\nfoo()\n2\n3\nfoo()\n4\n", unified + "@@\n x\n y\n-foo()\n z\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"already applied", "aaaa\nBBBB\nc\n", unified + "@@\n aaaa\n-bbbb\n+BBBB\n c\n", fault.AlreadyApplied, []fault.Code{fault.AlreadyApplied}},
		{"insertion already applied", "aaaa\nnew line\nbbbb\n", unified + "@@\n aaaa\n+new line\n bbbb\n", fault.AlreadyApplied, []fault.Code{fault.AlreadyApplied}},
		{"appended already", "aaaa\nnew line\n", unified + "@@\n aaaa\n+new line\n", fault.AlreadyApplied, []fault.Code{fault.AlreadyApplied}},
		{"appended already, without context", "aaaa\nnew line\n", unified + "@@\n+new line\n", fault.AlreadyApplied, []fault.Code{fault.AlreadyApplied}},
		{"put above already", "new line\naaaa\n", unified + "@@\n+new line\n aaaa\n", fault.AlreadyApplied, []fault.Code{fault.AlreadyApplied}},
		{"put above already, in Chinese", "日本\naaaa\n", unified + "@@\n+日本\n aaaa\n", fault.AlreadyApplied, []fault.Code{fault.AlreadyApplied}},
		{"only context, without its space and indented otherwise", "\taaaa()\n\tbbbb()\n", unified + "@@\naaaa()\nbbbb()\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"half of it applied already", "aaaa\nBBBB\nc\n", unified + "@@\n aaaa\n-bbbb\n+BBBB\n@@\n-c\n+C\n", fault.HunkNotFound, []fault.Code{fault.AlreadyApplied}},
		{"overlap", "a\nb\nc\n", unified + "@@\n-a\n-b\n+1\n@@\n-b\n-c\n+2\n", fault.Overlap, []fault.Code{fault.Overlap}},
		{"two insertions at one place", "a\nb\n", unified + "@@\n a\n+1\n b\n@@\n a\n+2\n b\n", fault.Overlap, []fault.Code{fault.Overlap}},
		{"lone carriage returns, twice", "aaa\rbbb\nx\naaa\rbbb\n", unified + "@@\n aaa\n-bbb\n+B\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"lone carriage returns, twice, and a number", "aaa\rbbb\nx\naaa\rbbb\n", unified + "@@ -3,2 +3,2 @@\n aaa\n-bbb\n+B\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"lone carriage returns, and a blank line that would join them", "aaa\rbbb\nccc\n", unified + "@@\n aaa\n-bbb\n+\n ccc\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"lone carriage returns, and an addition by number", "aaa\rbbb\nx\ny\n", unified + "@@ -1,2 +1,2 @@\n aaa\n-bbb\n+B\n@@ -2,0 +3 @@\n+z\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"lone carriage returns, moved in different ways", "new\naaa\rbbb\nx\nyyyyyy\nzzzzzz\n", unified + "@@ -1,2 +1,2 @@\n aaa\n-bbb\n+B\n@@ -2,2 +2,2 @@\n-yyyyyy\n+Y\n zzzzzz\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"lone carriage returns, and a line that is not there", "aaa\rbbb\nccc\n", unified + "@@\n aaa\n-bbb\n-ddd\n+B\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"lone carriage returns, the twin of a changed line", "aaa\rbbb\nx\naaa\rccc\n", unified + "@@ -3,2 +3,2 @@\n-aaa\n+A\n bbb\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"an addition below the last line, and one at the end", "a\nb\n", envelope + "@@\n b\n+c\n@@\n+d\n*** End Patch\n", fault.Overlap, []fault.Code{fault.Overlap}},
		{"a place right before the next hunk, and one further up", "a\nb\na\nX\n", envelope + "@@\n-a\n+A\n@@\n-X\n+Y\n*** End Patch\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"all places before the hunk that precedes it", "a\nb\na\nX\n", envelope + "@@\n-X\n+Y\n@@\n-a\n+A\n*** End Patch\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"dashes that are content, and not there", "foo_a()\n", "x\n<<<<<<< SEARCH\n:start_line:1\n-------\n-------\nfoo_a()\n=======\nfoo_b()\n>>>>>>> REPLACE\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"insertion by a number outside of its function", twins, unified + "@@ -2,0 +3 @@ func g() {\n+x\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"the twin of a changed line, in the first line", "foo()\nbar()\nx\nfoo()\nbaz()\n", unified + "@@ -4,2 +4,2 @@\n-foo()\n+F\n bar()\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"number and function disagree, while the hunk before is in place", twins, unified + "@@ -1,2 +1,2 @@\n-func f() {\n+func e() {\n \tx := 1\n@@ -7,2 +7,2 @@ func f() {\n \tx := 1\n-\treturn x\n+\treturn 2\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous}},
		{"put above already, far from the end", "x\nnew line\naaaa\nb\nc\n", unified + "@@\n+new line\n aaaa\n", fault.AlreadyApplied, []fault.Code{fault.AlreadyApplied}},
		{"the first fault names the error", "a\nb\na\n", unified + "@@\n-a\n+A\n@@\n-gone\n+G\n", fault.HunkAmbiguous, []fault.Code{fault.HunkAmbiguous, fault.HunkNotFound}},
		{"applied already and not found", "aaaa\nBBBB\nc\n", unified + "@@\n aaaa\n-bbbb\n+BBBB\n@@\n-gone\n+G\n", fault.HunkNotFound, []fault.Code{fault.AlreadyApplied, fault.HunkNotFound}},
		{"nothing says where", "a\nb\n", "*** Update File: x\n@@ func f\n+c\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"insertion with a count that contradicts it", "a\nb\n", unified + "@@ -1,2 +1,3 @@\n+c\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"insertion behind the end", "a\nb\n", unified + "@@ -7,0 +8 @@\n+c\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
		{"nothing changes", "a\nb\n", unified + "@@\n-a\n+a\n b\n", fault.NoChange, nil},
		{"more to delete", "a\nb\nc\n", "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", fault.HunkNotFound, nil},
		{"no fuzz for blocks", "A\nb\nccc\ndddddd\n", "x\n<<<<<<< SEARCH\na\nb\nccc\ndddddd\n=======\na\nb\nccc\nD\n>>>>>>> REPLACE\n", fault.HunkNotFound, []fault.Code{fault.HunkNotFound}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := outcome(c.src, c.patch)
			if !fault.Is(err, c.code) {
				t.Fatalf("got %q and %v, want %s", r.Text, err, c.code)
			}
			if r.Text != c.src || r.Splices != nil {
				t.Errorf("refused, but %q", r.Text)
			}
			var codes []fault.Code
			if d, ok := fault.As(err).Details.(Failures); ok {
				for _, h := range d.Hunks {
					codes = append(codes, h.Code)
				}
			}
			if d := cmp.Diff(c.hunks, codes); d != "" {
				t.Error(d)
			}
			if fault.As(err).Hint.IsZero() {
				t.Error("no hint")
			}
		})
	}
}

// TestFailureDetails checks what a caller gets to correct a hunk with.
func TestFailureDetails(t *testing.T) {
	src := text("func f() {", "\ta := compute(1)", "\tb := compute(2)", "\treturn a", "}")
	_, err := outcome(src, "--- a/x.go\n+++ b/x.go\n@@ -1,3 +1,3 @@\n func f() {\n-\ta := compute(7)\n+\ta := compute(8)\n \tb := compute(2)\n")
	d, ok := fault.As(err).Details.(Failures)
	if !ok || len(d.Hunks) != 1 || len(d.Hunks[0].Candidates) == 0 {
		t.Fatalf("%v: %+v", err, fault.As(err).Details)
	}
	if c := d.Hunks[0].Candidates[0]; c.Start != 1 || c.End != 3 || c.Text+"\n" != text("func f() {", "\ta := compute(1)", "\tb := compute(2)") {
		t.Errorf("%+v", c)
	}
	r, err := edit.Apply(src, []edit.Edit{{Accept: d.Hunks[0].Candidates[0].ID, New: "func f() {\n\ta := compute(8)\n"}}, edit.Options{Path: "x.go"})
	if err != nil || !strings.Contains(r.Text, "compute(8)") {
		t.Errorf("an edit cannot accept the candidate: %v", err)
	}

	_, err = outcome(twins, "--- a/x.go\n+++ b/x.go\n@@\n-\treturn x\n+\treturn 2\n")
	d, _ = fault.As(err).Details.(Failures)
	want := []Failure{{Code: fault.HunkAmbiguous, PatchLine: 3, Total: 2, Matches: []edit.Match{
		{Start: 3, End: 3, TextStart: 1, Text: text("func f() {", "\tx := 1", "\treturn x", "}", "")},
		{Start: 8, End: 8, TextStart: 6, Text: text("func g() {", "\tx := 1", "\treturn x", "}")},
	}}}
	if diff := cmp.Diff(want, d.Hunks); diff != "" {
		t.Error(diff)
	}
}

// TestManyHunks has hunks that are found by every way after many that are found exactly,
// when lines that the file cannot have are no longer searched for.
func TestManyHunks(t *testing.T) {
	var src, patch strings.Builder
	for i := range 20 {
		fmt.Fprintf(&src, "line number %d\n", i)
		fmt.Fprintf(&patch, "@@\n-line number %d\n+%[1]d\n", i)
	}
	for name, c := range map[string]struct{ src, hunk, want string }{
		"the file has typography":   {"say “hi”\n", "-say \"hi\"\n+x\n", "x\n"},
		"the patch has typography":  {"say \"hi\"\n", "-say “hi”\n+x\n", "x\n"},
		"other indentation":         {"\tbbbb()\n\tcccc()\n", " bbbb()\n-cccc()\n+x()\n", "\tbbbb()\n\tx()\n"},
		"white space inside":        {"city:  Paris\n", "-city: Paris\n+x\n", "x\n"},
		"other context":             {"aaaa()\nbbbb()\ncccc()\n", " other\n bbbb()\n-cccc()\n+x\n", "aaaa()\nbbbb()\nx\n"},
		"fewer blank lines":         {"aaaa()\nbbbb()\n", " aaaa()\n \n-bbbb()\n+x\n", "aaaa()\nx\n"},
		"more blank lines":          {"aaaa()\n\n\nbbbb()\n", " aaaa()\n-bbbb()\n+x\n", "aaaa()\n\n\nx\n"},
		"line numbers":              {"foo_a\nfoo_b\n", " 1|foo_a\n-2|foo_b\n+2|x\n", "foo_a\nx\n"},
		"context without its space": {"    a()\n    c()\n", "    a()\n-    c()\n+x\n", "    a()\nx\n"},
	} {
		r, err := outcome(src.String()+c.src, "--- a/x.go\n+++ b/x.go\n"+patch.String()+"@@\n"+c.hunk)
		if err != nil || !strings.HasSuffix(r.Text, "\n19\n"+c.want) {
			t.Errorf("%s: %v, %q", name, err, r.Text)
		}
	}
}

// TestManyAnchors has an anchor that names more places than are looked at.
func TestManyAnchors(t *testing.T) {
	for n, code := range map[int]fault.Code{1000: "", 1001: fault.HunkAmbiguous} {
		src := "target\nff() {\ntarget\n" + strings.Repeat("ff() {\n", n-1)
		r, err := outcome(src, "--- a/x.go\n+++ b/x.go\n@@ ff() {\n-target\n+T\n")
		if code == "" && (err != nil || !strings.HasPrefix(r.Text, "target\nff() {\nT\n")) || code != "" && !fault.Is(err, code) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// TestPlacesLeft shows only the places that the order of the hunks leaves.
func TestPlacesLeft(t *testing.T) {
	_, err := outcome("a\nX\na\nb\na\n", "--- a/x\n+++ b/x\n@@\n-X\n+Y\n@@\n-a\n+A\n")
	if d, ok := fault.As(err).Details.(Failures); !ok || len(d.Hunks) != 1 || d.Hunks[0].Total != 2 || d.Hunks[0].Matches[0].Start != 3 {
		t.Errorf("%v, %+v", err, fault.As(err).Details)
	}
}

// TestFailuresNamed names ten hunks that failed in the message.
func TestFailuresNamed(t *testing.T) {
	for n, more := range map[int]bool{10: false, 11: true} {
		_, err := outcome("a\n", "--- a/x\n+++ b/x\n"+strings.Repeat("@@\n-gone\n+here\n", n))
		if message := fault.As(err).Message.String(); strings.Contains(message, "and 1 more") != more || strings.Contains(message, "and 0 more") {
			t.Errorf("%d: %s", n, message)
		}
	}
}
