package job

// This identifies this process.
func This() Process { return thisProcess() }

// Alive reports whether the process still runs. A process of another machine, or of
// another container, cannot be asked for: see [Machine].
func (p Process) Alive() bool { return p.alive() }

// Machine identifies what process numbers are of: the machine since it was started, and
// the container. It is "" where that is not known, or where it is not known when a
// process started.
func Machine() string { return machine() }
