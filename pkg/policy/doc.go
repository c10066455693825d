// Package policy decides what a call may do: risk, paths, commands and hosts in;
// allow, ask or deny out, with the reason. It reads no configuration and asks
// nobody. Package approval keeps what a person is asked; package secret masks.
//
// # How a call is decided
//
// [Policy.Decide] takes a [Request] apart (parts): each path, each simple command,
// each host, and whatever is riskier as a whole than in its parts. Every part gets
// a verdict, and the strictest of them is the verdict on the call.
//
// For a part, the following speak in turn (Policy.part):
//
//  1. what cannot be configured (forbidden): wiping the file system, raw devices,
//     helve's own configuration and approvals, and what a tool forbids itself, such
//     as a fork bomb
//  2. a read-only run, which denies everything but reading
//  3. the rules: of those that match, the strictest verdict counts, whatever their
//     order
//  4. where no rule matches, the default (fallback): reading and writing inside the
//     workspace are allowed; destroying something, reaching the network, and
//     writing without a sandbox are asked about
//
// A rule with a switch that is off hides its paths: the verdict is not_registered,
// as if they were not there.
//
// # Narrowing is broad, widening is exact
//
// A rule that asks or denies must hold for every spelling that leads to the same
// file, program or command. It therefore ignores case, composition of letters and
// invisible characters, takes /usr/bin/git and git.exe for git, and covers a file
// when its directory is moved or deleted. A rule that allows something holds for
// exactly what it says.
//
// A change that a rule does not name gets the strictest verdict that the rule has for a
// change: a call that must ask before editing a file cannot replace, move or delete it
// instead.
package policy
