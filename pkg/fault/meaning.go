package fault

// Meaning returns what a code stands for; nothing for one that is not in the contract.
func Meaning(c Code) Text {
	switch c {
	case NotFound:
		return T("there is no such file, directory or job", "文件、目录或任务不存在")
	case AlreadyExists:
		return T("there is something of that name already", "同名内容已存在")
	case IsDirectory:
		return T("the path is a directory, and the call needs a file", "路径是目录，而调用需要文件")
	case NotADirectory:
		return T("the path, or a part of it, is not a directory", "路径或其中某一级不是目录")
	case NotAFile:
		return T("the path is not a regular file, such as a socket", "路径不是普通文件，例如套接字")
	case BinaryFile:
		return T("the file is not text", "文件不是文本")
	case TooLarge:
		return T("the file, document or text is above a limit", "文件、文档或文本超过上限")
	case OutOfRange:
		return T("the line, page or occurrence that the call names is not there", "所指的行、页或出现次序不存在")
	case TextNotFound:
		return T("the text to replace is not in the file; the details have the closest places", "文件中没有要替换的文本；details 给出最接近的位置")
	case TextAmbiguous:
		return T("the text to replace is there several times", "要替换的文本出现多次")
	case AlreadyApplied:
		return T("the file already is as the call would make it", "文件已是调用所要的样子")
	case NoChange:
		return T("the call would change nothing", "调用不会改变任何内容")
	case Overlap:
		return T("two edits of one call overlap", "同一次调用中的两处编辑重叠")
	case Stale:
		return T("the file has changed since it was read", "文件在读取之后已被更改")
	case Unread:
		return T("the call would overwrite a file that the session has not read", "调用会覆盖本会话未读过的文件")
	case Shrink:
		return T("the call would replace a long file by a much shorter one", "调用会以短得多的内容替换长文件")
	case Placeholder:
		return T("the text has a placeholder, such as “rest of the code”, in place of content", "文本以占位符（如“其余代码”）代替内容")
	case IndentAmbiguous:
		return T("the indentation of the new text could mean several things", "新文本的缩进可有多种理解")
	case EncodingUnsupported:
		return T("the encoding of the file is unknown or cannot be written", "文件的编码未知或无法写入")
	case EncodingUnrepresentable:
		return T("the encoding of the file has no form for a character of the text", "文件的编码无法表示文本中的某个字符")
	case PatchSyntax:
		return T("the patch cannot be read", "补丁无法解析")
	case HunkNotFound:
		return T("the place that a hunk of the patch changes is not there", "找不到补丁某一块所改的位置")
	case HunkAmbiguous:
		return T("a hunk of the patch fits several places", "补丁的某一块可用于多处")
	case UndoConflict:
		return T("the file was changed after what undo would take back", "undo 要撤销的改动之后，文件又有更改")
	case NoHistory:
		return T("there is nothing to undo", "没有可撤销的改动")
	case IOError:
		return T("the system could not read or write", "系统无法读取或写入")
	case HTTPStatus:
		return T("the server answered with an error", "服务器返回错误")
	case UnsupportedContent:
		return T("the content is of a kind that cannot be shown as text", "内容的类型无法显示为文本")
	case BadDocument:
		return T("the document is damaged or is not what it seems", "文档已损坏或与其外表不符")
	case EncryptedDocument:
		return T("the document needs a password", "文档需要密码")
	case Conflict:
		return T("something else has been done meanwhile, or the state does not allow this", "期间已有其他操作，或当前状态不允许")
	case Locked:
		return T("another process is changing the same; try again", "另一进程正在更改同一内容；请重试")
	case InvalidArguments:
		return T("the arguments are wrong; the message lists every fault", "参数有误；消息列出每一处错误")
	case UnknownTool:
		return T("there is no tool or command of that name", "没有该名称的工具或命令")
	case Usage:
		return T("the command line is wrong", "命令行有误")
	case OutsideWorkspace:
		return T("the path leads out of the workspace", "路径通向工作区之外")
	case ProtectedPath:
		return T("the path is protected: no tool may change it", "路径受保护：任何工具都不得修改")
	case PermissionDenied:
		return T("the operating system refuses", "操作系统拒绝")
	case Denied:
		return T("a rule or the default policy refuses", "规则或默认策略拒绝")
	case Rejected:
		return T("the person has refused; the message has their words", "用户已拒绝；消息中有其原话")
	case NotRegistered:
		return T("the tool exists and is turned off, or requires something that is off", "工具存在但已关闭，或其所需功能已关闭")
	case BlockedAddress:
		return T("the address is not a public one", "地址不是公共地址")
	case UnsupportedScheme:
		return T("the URL is neither http nor https", "URL 既非 http 也非 https")
	case ApprovalInvalid:
		return T("there is no such approval, or it was used, has expired or is for another call", "批准不存在、已使用、已过期或属于另一调用")
	case ApprovalStale:
		return T("the call, the policy or the file has changed since it was approved", "批准之后，调用、策略或文件已有更改")
	case ApprovalRequired:
		return T("a person must decide; the details have the id for helve approve", "需由用户决定；details 中有供 helve approve 使用的 id")
	case NotConfigured:
		return T("a setting, key or program that the call needs is not there", "缺少调用所需的设置、密钥或程序")
	case SandboxUnavailable:
		return T("the settings require a sandbox, and this machine has none", "设置要求沙箱，而本机没有")
	case Unsupported:
		return T("this system, store or server cannot do this", "此系统、存储或服务器不支持该操作")
	case Timeout:
		return T("the call or the command took too long", "调用或命令耗时过长")
	case Unavailable:
		return T("a server cannot be reached, or is overloaded", "服务器无法访问或过载")
	case RateLimited:
		return T("a server asks for fewer requests", "服务器要求减少请求")
	case TooManyRedirects:
		return T("the page leads from one address to the next", "页面不断重定向")
	case Canceled:
		return T("the caller, or Ctrl-C, has ended the call", "调用者或 Ctrl-C 终止了调用")
	case Internal:
		return T("helve has failed; please report it", "helve 出现故障，请报告")
	}
	return Text{}
}
