// Package parse builds trees and tokens of HTML by the WHATWG standard
// (https://html.spec.whatwg.org/multipage/parsing.html), as a browser without
// scripts does. It renders nothing, and does not detect encodings: its input is
// UTF-8.
//
// # Why it exists
//
// Trees consist of the nodes of golang.org/x/net/html and are those of its parser.
// That parser is not linked, because of what it costs a command line program that
// starts anew for each call: it fills 126 KB of tables whenever the program starts,
// 0.2 ms of a bare start of 1 ms, whether or not a page is parsed. It also rejects
// pages that nest deeper than 512 elements, and it is about six times slower on real
// pages. Its node type and package atom cost nothing at the start. The names of
// characters come from package html of the standard library, which builds its table
// at the first use.
//
// # How it works
//
// tokenizer splits the text into tokens by searching for the next < or quote.
// builder keeps the stack of open elements and the list of active formatting
// elements, and has one method for each insertion mode of the standard; the table
// rules maps modes to methods, and comments name the sections. Texts and attribute
// values share the memory of the input unless they have character references.
//
// x/net/html judges every tree in the tests: on html5lib's cases of tree
// construction, on 6,800 inputs of its tokenizer cases in seven contexts, on the
// test pages of go-readability, and under fuzz. Of the 1,592 cases of html5lib that
// have an expected tree both fail the same four. departures_test.go lists where the
// judge departs from the standard.
//
// # Where it departs from the standard on purpose
//
//   - [Limits] bound the tree. Tags beyond the depth are left out, not their
//     content; formatting elements beyond the limit are not opened.
//   - Scripting is off, so noscript elements have children, and document.write does
//     not exist.
//   - Parse errors are not reported. Steps that only serve to report them are left
//     out.
//   - The content of a template is a child of the template, as in x/net/html.
//   - There is no parsing of fragments: a fragment is parsed as a document.
package parse
