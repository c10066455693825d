// Package approval keeps the requests that a person must decide, and lets each be
// carried out once, by a process that need not exist when it is made. It does not
// decide what needs a person, and carries nothing out.
//
// # The way of a request
//
//	Store.New      a call needs a person: it is stored, and its caller ends
//	AskTerminal    or the person is asked at once, on a terminal,
//	AskFD          or through a descriptor of the host
//	Store.Approve  a person decides, perhaps in another process much later
//	Store.Deny
//	Store.Redeem   the call comes again and uses the approval up
//	Store.Finish   it has been carried out: its outcome is kept
//	Store.Outcome  a call with the same approval gets that outcome
//
// A request starts as pending. It ends as denied, used or expired; [Lifetime] after
// it was made, nobody can approve or use it any more.
//
// # What a decision is bound to
//
// A person decides about what they were shown, so an approval holds for nothing
// else. Redeem compares the call at hand with the stored one (drifted): the tool,
// the arguments, and the [Binding], which is the working directory with its inode,
// the revision of the policy, the program that would run, and the bytes of every
// file that would change. Any difference is approval_stale, and spends the decision
// for good: nobody could say later which state of things the person had in mind. Only
// a call of another tool or with other arguments leaves the request as it is: the
// person decided nothing about that one, and in a batch many calls come with one
// approval.
//
// Two spellings of the same arguments must compare as equal, and two calls that
// differ must not. The store therefore keeps arguments in a canonical spelling
// ([Canonical]): RFC 8785, except that an integer too large for a double keeps its
// digits, where RFC 8785 would round two different calls to the same bytes.
//
// # Single use
//
// Redeem marks a request as used, on the disk and under the store's lock, before it
// returns. Of several processes with the same approval, one carries the call out.
// A process that dies right after Redeem has lost the approval: a call that is not
// made is better than one that is made twice.
//
// # The outcome
//
// Several processes may want one call: some that wait for the decision, the one that
// approves, one that passes the approval. All but the one that redeems it wait for
// the outcome, which lies sealed in a file beside the request and is removed with it.
// From Redeem to Finish the process holds a lock that the system releases when it
// dies. If nobody holds it and there is no outcome, that is the answer: nobody knows
// how far the call came, and it is not run again.
//
// # Calls while nobody is there
//
// A job of the schedule makes its call when nobody can be asked, and again and again.
// A person decides about it when it is added, and [Store.Stand] keeps that for as long
// as there is the job. It is bound to the call, the directory and what the call will
// run, but not to the files that it works on, which change with every run. What the
// policy denies by then is not covered.
//
// # What protects a decision
//
// Requests lie in files of the state directory, outside the workspace. Each carries
// an HMAC under a key beside it. That stops whatever can write in the directory but
// cannot read the key, such as a restored backup, a tool with a hole, or a
// half-confined process. It does not stop a process that runs as the same user with
// all files open to it: that one reads the key. Keeping the directory out of sight
// is the part of the sandbox, and a process that helve started may not decide at
// all: see [StartedByHelve].
//
// The text that a person sees holds nothing that moves the cursor, hides, or turns
// the direction of writing: see [Visible].
package approval
