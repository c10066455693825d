package fault

import "slices"

// Code is the stable name of a kind of failure. A caller may branch on it; it
// never changes with the language of the message.
type Code string

// The codes, grouped by the exit status they lead to (see [Code.Exit]).
const (
	// Exit 1: the tool could not; look again and call again.
	NotFound                Code = "not_found"
	AlreadyExists           Code = "already_exists"
	IsDirectory             Code = "is_directory"
	NotADirectory           Code = "not_a_directory"
	NotAFile                Code = "not_a_file"
	BinaryFile              Code = "binary_file"
	TooLarge                Code = "too_large"
	OutOfRange              Code = "out_of_range"
	TextNotFound            Code = "text_not_found"
	TextAmbiguous           Code = "text_ambiguous"
	AlreadyApplied          Code = "already_applied"
	NoChange                Code = "no_change"
	Overlap                 Code = "overlap"
	Stale                   Code = "stale"
	Unread                  Code = "unread"
	Shrink                  Code = "shrink"
	Placeholder             Code = "placeholder"
	IndentAmbiguous         Code = "indent_ambiguous"
	EncodingUnsupported     Code = "encoding_unsupported"
	EncodingUnrepresentable Code = "encoding_unrepresentable"
	PatchSyntax             Code = "patch_syntax"
	HunkNotFound            Code = "hunk_not_found"
	HunkAmbiguous           Code = "hunk_ambiguous"
	UndoConflict            Code = "undo_conflict"
	NoHistory               Code = "no_history"
	IOError                 Code = "io_error"
	HTTPStatus              Code = "http_status"
	UnsupportedContent      Code = "unsupported_content"
	BadDocument             Code = "bad_document"
	EncryptedDocument       Code = "encrypted_document"
	Conflict                Code = "conflict"
	Locked                  Code = "locked"

	// Exit 2: the call must be corrected.
	InvalidArguments Code = "invalid_arguments"
	UnknownTool      Code = "unknown_tool"
	Usage            Code = "usage"

	// Exit 3: policy or a person said no.
	OutsideWorkspace  Code = "outside_workspace"
	ProtectedPath     Code = "protected_path"
	PermissionDenied  Code = "permission_denied"
	Denied            Code = "denied"
	Rejected          Code = "rejected"
	NotRegistered     Code = "not_registered"
	BlockedAddress    Code = "blocked_address"
	UnsupportedScheme Code = "unsupported_scheme"
	ApprovalInvalid   Code = "approval_invalid"
	ApprovalStale     Code = "approval_stale"

	// Exit 4: a person must decide.
	ApprovalRequired Code = "approval_required"

	// Exit 5: something is missing on this machine or in its settings.
	NotConfigured      Code = "not_configured"
	SandboxUnavailable Code = "sandbox_unavailable"
	Unsupported        Code = "unsupported"

	// Exit 6: something outside failed; a retry may help.
	Timeout          Code = "timeout"
	Unavailable      Code = "unavailable"
	RateLimited      Code = "rate_limited"
	TooManyRedirects Code = "too_many_redirects"
	Canceled         Code = "canceled"

	// Exit 70: a bug in helve.
	Internal Code = "internal"
)

// Status is an exit status, and the codes that lead to it.
type Status struct {
	Exit  int
	When  Text
	Codes []Code
}

// exits is the contract's table of exit statuses, and the only list of all codes.
var exits = []Status{
	{0, Text{format: "done"}, nil},
	{1, Text{format: "the tool could not do it: look again, then call again"}, []Code{
		NotFound, AlreadyExists, IsDirectory, NotADirectory, NotAFile, BinaryFile, TooLarge, OutOfRange,
		TextNotFound, TextAmbiguous, AlreadyApplied, NoChange, Overlap, Stale, Unread, Shrink, Placeholder,
		IndentAmbiguous, EncodingUnsupported, EncodingUnrepresentable, PatchSyntax, HunkNotFound, HunkAmbiguous,
		UndoConflict, NoHistory, IOError, HTTPStatus, UnsupportedContent, BadDocument, EncryptedDocument,
		Conflict, Locked,
	}},
	{2, Text{format: "the call is wrong: correct it"}, []Code{InvalidArguments, UnknownTool, Usage}},
	{3, Text{format: "the policy or a person refused"}, []Code{
		OutsideWorkspace, ProtectedPath, PermissionDenied, Denied, Rejected, NotRegistered, BlockedAddress,
		UnsupportedScheme, ApprovalInvalid, ApprovalStale,
	}},
	{4, Text{format: "a person must decide"}, []Code{ApprovalRequired}},
	{5, Text{format: "something is not installed or configured here"}, []Code{NotConfigured, SandboxUnavailable, Unsupported}},
	{6, Text{format: "a timeout, the network, or a cancelled call: a retry may help"}, []Code{Timeout, Unavailable, RateLimited, TooManyRedirects, Canceled}},
	{70, Text{format: "a bug in helve"}, []Code{Internal}},
}

// Statuses returns every exit status, in rising order.
func Statuses() []Status { return slices.Clone(exits) }

// Codes returns every code, in the order of the contract.
func Codes() []Code {
	var all []Code
	for _, row := range exits {
		all = append(all, row.Codes...)
	}
	return all
}

// Exit returns the exit status of a process whose call failed with c. A code that
// is not in the contract exits as [Internal] does.
func (c Code) Exit() int {
	for _, row := range exits {
		if slices.Contains(row.Codes, c) {
			return row.Exit
		}
	}
	return Internal.Exit()
}

// Retryable reports whether the same call may succeed a little later, with nothing
// changed.
func (c Code) Retryable() bool {
	switch c {
	case Locked, Timeout, Unavailable, RateLimited:
		return true
	}
	return false
}
