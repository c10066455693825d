package outline_test

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/files/outline"
)

func ExampleOutline() {
	source := "class Server:\n    # Answers.\n    @cached\n    def run(self,\n            port):\n        pass\n\ndef main():\n    Server().run(80)\n"
	for path := range outline.All(outline.Outline("Python", source)) {
		d := path[len(path)-1]
		fmt.Printf("%d-%d %s %s\n", d.Start(), d.End, d.Kind, d.Name)
	}
	// Output:
	// 1-6 class Server
	// 2-6 method run
	// 8-9 function main
}

func ExampleRecommend() {
	source := "package a\n\n// F does it.\nfunc F() {\n}\n\ntype T struct{}\n\nfunc (T) M() {\n}\n"
	for _, r := range outline.Recommend(source, "Go") {
		fmt.Printf("%d-%d %s\n", r.Start, r.End, r.Why)
	}
	// Output:
	// 3-5 function F
	// 7-10 struct T and its methods
}
