package fault

// Meaning returns what a code stands for; nothing for one that is not in the contract.
func Meaning(c Code) Text {
	switch c {
	case NotFound:
		return T("there is no such file, directory or job")
	case AlreadyExists:
		return T("there is something of that name already")
	case IsDirectory:
		return T("the path is a directory, and the call needs a file")
	case NotADirectory:
		return T("the path, or a part of it, is not a directory")
	case NotAFile:
		return T("the path is not a regular file, such as a socket")
	case BinaryFile:
		return T("the file is not text")
	case TooLarge:
		return T("the file, document or text is above a limit")
	case OutOfRange:
		return T("the line, page or occurrence that the call names is not there")
	case TextNotFound:
		return T("the text to replace is not in the file; the details have the closest places")
	case TextAmbiguous:
		return T("the text to replace is there several times")
	case AlreadyApplied:
		return T("the file already is as the call would make it")
	case NoChange:
		return T("the call would change nothing")
	case Overlap:
		return T("two edits of one call overlap")
	case Stale:
		return T("the file has changed since it was read")
	case Unread:
		return T("the call would overwrite a file that the session has not read")
	case Shrink:
		return T("the call would replace a long file by a much shorter one")
	case Placeholder:
		return T("the text has a placeholder, such as “rest of the code”, in place of content")
	case IndentAmbiguous:
		return T("the indentation of the new text could mean several things")
	case EncodingUnsupported:
		return T("the encoding of the file is unknown or cannot be written")
	case EncodingUnrepresentable:
		return T("the encoding of the file has no form for a character of the text")
	case PatchSyntax:
		return T("the patch cannot be read")
	case HunkNotFound:
		return T("the place that a hunk of the patch changes is not there")
	case HunkAmbiguous:
		return T("a hunk of the patch fits several places")
	case UndoConflict:
		return T("the file was changed after what undo would take back")
	case NoHistory:
		return T("there is nothing to undo")
	case IOError:
		return T("the system could not read or write")
	case HTTPStatus:
		return T("the server answered with an error")
	case UnsupportedContent:
		return T("the content is of a kind that cannot be shown as text")
	case BadDocument:
		return T("the document is damaged or is not what it seems")
	case EncryptedDocument:
		return T("the document needs a password")
	case Conflict:
		return T("something else has been done meanwhile, or the state does not allow this")
	case Locked:
		return T("another process is changing the same; try again")
	case InvalidArguments:
		return T("the arguments are wrong; the message lists every fault")
	case UnknownTool:
		return T("there is no tool or command of that name")
	case Usage:
		return T("the command line is wrong")
	case OutsideWorkspace:
		return T("the path leads out of the workspace")
	case ProtectedPath:
		return T("the path is protected: no tool may change it")
	case PermissionDenied:
		return T("the operating system refuses")
	case Denied:
		return T("a rule or the default policy refuses")
	case Rejected:
		return T("the person has refused; the message has their words")
	case NotRegistered:
		return T("the tool exists and is turned off, or requires something that is off")
	case BlockedAddress:
		return T("the address is not a public one")
	case UnsupportedScheme:
		return T("the URL is neither http nor https")
	case ApprovalInvalid:
		return T("there is no such approval, or it was used, has expired or is for another call")
	case ApprovalStale:
		return T("the call, the policy or the file has changed since it was approved")
	case ApprovalRequired:
		return T("a person must decide; the details have the id for helve approve")
	case NotConfigured:
		return T("a setting, key or program that the call needs is not there")
	case SandboxUnavailable:
		return T("the settings require a sandbox, and this machine has none")
	case Unsupported:
		return T("this system, store or server cannot do this")
	case Timeout:
		return T("the call or the command took too long")
	case Unavailable:
		return T("a server cannot be reached, or is overloaded")
	case RateLimited:
		return T("a server asks for fewer requests")
	case TooManyRedirects:
		return T("the page leads from one address to the next")
	case Canceled:
		return T("the caller, or Ctrl-C, has ended the call")
	case Internal:
		return T("helve has failed; please report it")
	}
	return Text{}
}
