// Package program knows programs: what each does with its arguments, as far as the
// command line shows it. A judge is a function of a call that returns findings. It knows
// the workspace by the questions in [Files] alone, and decides nothing: package classify
// does.
package program
