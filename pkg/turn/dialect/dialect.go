// Package dialect reads and writes the formats of model providers: tool definitions
// and results are written, tool calls are read. It runs no tool.
//
// [Definitions] writes definitions. All forms are made from the canonical schema of a
// tool: a form that refuses a keyword says in the description what it said.
package dialect
