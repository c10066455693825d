// Package overview is what waits for a person in a workspace, and what happened there, in
// the form in which commands print it and the desk shows it. It decides nothing and
// changes nothing.
package overview
