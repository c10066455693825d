// Package schema turns one tagged struct into everything that describes it to a
// caller: ordered fields, a JSON Schema, and a strict decoder. It also writes
// results as JSON. It knows no tool and no provider.
//
// # From a struct to its schema
//
// [Of] walks a struct type once and returns an [Object], the ordered list of its
// fields. The tags of a field say everything about an argument:
//
//	json     its name, and omitzero where it is optional
//	doc      what it is, in English; required
//	default  its value when it is absent
//	enum     the values of a string, comma separated
//	min max  bounds of a number, of a string's length in characters, or of an
//	         array's length
//	path     what the call does to the path that it holds: a [PathUse]
//	alias    further names, comma separated, which are accepted and never shown
//	unlisted "true" for an argument that is accepted and in the help, and left out of the
//	         JSON Schema, where it would cost every caller more than it serves a few
//	unless   the unlisted argument that a call may give instead; where the schema does
//	         not show that one, this is required
//
// A wrong tag, a missing doc and a type without a portable schema are mistakes of
// the program: Of panics, and a test builds every schema. [FromJSON] makes an
// Object of a JSON Schema that somebody else wrote, and returns its flaws instead.
//
// [Object.JSONSchema] returns the canonical schema: the subset of JSON Schema that
// every provider takes, without free maps, unions and references. Its members keep
// their order, since prompt caches depend on the bytes. [Object.In] returns the
// Object with its docs in another language.
//
// # From JSON to arguments
//
// [Object.Decode] reads with a parser of its own (parse), because encoding/json
// accepts what loses data: repeated names, names in another case, lone surrogates,
// and bytes that are not UTF-8. Numbers keep their digits until the type of the
// field is known, so that 9007199254740993 is not rounded and 3.0 is an integer.
// The decoder then collects every problem of the arguments, each with its JSON
// pointer, so that a model can correct them all in one further call.
//
// [Object.DecodeRepaired] first repairs the slips that models make and that have
// one meaning only, such as "3" for 3, and reports each repair. In between, what
// translates the calls of other systems sees the arguments as [Given].
//
// # From results to JSON
//
// [Marshal] writes the bytes of encoding/json, but leaves <, > and & alone. It
// works out less about a type before it writes a first value: that pays off in a
// server, and took a tenth of the time of a process that answers one call. What is
// rare, such as fractions and types that encode themselves, it leaves to that
// package.
package schema
