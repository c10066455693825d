// Package program knows what programs do with their arguments, as far as a command line
// shows it. A judge is a function of a call that returns findings. It asks about the
// machine by [Files] alone, and decides nothing: package classify does.
//
// The rows of a family are in a file: text.go, files.go, wrappers.go, shells.go, builds.go,
// network.go, system.go and others. A function judges what the columns of a row cannot
// say. List in harmless only options that the program's own manual shows to change
// nothing. Abbreviations of long options count, as getopt accepts them; of several options
// that one may mean, the worst does. What cmd, PowerShell and Windows bring along has
// tables of its own (cmd.go, powershell.go), because find, sort or del are other programs
// there.
package program
