// Package modeltest is a server that plays a model by a script, for tests. It speaks Chat
// Completions and Anthropic's Messages, and refuses what real servers refuse: a call without its
// result, a result without its call, a definition that is not valid.
//
// Which answer is due depends on the conversation alone, so one server serves many
// conversations at a time, with one script or with one for each.
//
//	{"steps": [
//	  {"calls": [{"name": "read", "arguments": {"path": "a"}}, {"name": "ls", "arguments": "{\"path"}]},
//	  {"say": "The answer is 42.", "fail": [{"status": 429, "times": 2, "header": {"Retry-After": "1"}}]}
//	]}
package modeltest
