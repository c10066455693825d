package approval

// StartedByHelve reports whether helve started this process, directly or not, so
// that it may neither approve nor change policy or trust. marker says whether its
// environment has the variable HELVE, which helve sets for every child.
//
// A child can drop the variable, so on Linux the ancestors are examined as well:
// whether one was started with it, runs this very program, or is the first process of
// a sandbox, above which nothing can be seen. What cannot be found
// out counts as yes. A process that dropped the variable and outlived all its
// ancestors is not recognized; the sandbox keeps it from the state directory.
func StartedByHelve(marker bool) bool { return marker || descends() }

// Belongs reports whether helve started another process of this machine, directly or not,
// as [StartedByHelve] does for this one. Elsewhere than on Linux it is no.
func Belongs(pid int) bool { return descendant(pid) }

// SandboxName is the name of the first process of a sandbox that has processes of its
// own. Nothing within can change it, or read more of that process.
const SandboxName = "helve-sandbox"

// RunVariable names the variable that holds the id of the run of a job, in all that
// the run starts.
const RunVariable = "HELVE_RUN_ID"

// AgentVariable names the variable that holds the id of the job of a sub-agent, in its
// worker and in all that this starts.
const AgentVariable = "HELVE_AGENT"

// InRun reports whether this process belongs to the run of a job. run is the value of
// [RunVariable]. A child can drop it, so on Linux the ancestors are examined as well:
// whether one has it, or is one of the runners, the processes that carry out jobs at
// present. What cannot be found out counts as no.
func InRun(run string, runners []int) bool { return run != "" || below(RunVariable, runners) }

// InAgent reports whether this process belongs to a sub-agent, as [InRun] does: agent is
// the value of [AgentVariable], and workers are the processes that sub-agents work in.
// A worker itself belongs to its sub-agent by the variable alone.
func InAgent(agent string, workers []int) bool { return agent != "" || below(AgentVariable, workers) }
