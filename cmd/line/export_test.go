package line

// InsteadOf is for the tests of the whole command line.
var InsteadOf = insteadOf
