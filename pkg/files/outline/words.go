package outline

func pythonWord(word string) keyword {
	switch word {
	case "class":
		return keyword{"class", inType}
	case "def":
		return keyword{"function", inCode}
	}
	return keyword{}
}

func pythonModifier(word string) bool { return word == "async" || word == "cdef" || word == "cpdef" }

func rubyWord(word string) keyword {
	switch word {
	case "class":
		return keyword{"class", inType | dotted}
	case "module":
		return keyword{"module", inSpace | dotted}
	case "def":
		return keyword{"method", inCode | dotted}
	}
	return keyword{}
}

func rubyModifier(word string) bool {
	switch word {
	case "private", "protected", "public", "private_class_method", "module_function", "memoize", "abstract":
		return true
	}
	return false
}

func scriptWord(word string) keyword {
	switch word {
	case "class":
		return keyword{"class", inType}
	case "function":
		return keyword{"function", inCode}
	}
	return keyword{}
}

func typeScriptWord(word string) keyword {
	switch word {
	case "interface":
		return keyword{"interface", inType | contextual}
	case "enum":
		return keyword{"enum", inEnum | contextual}
	case "namespace", "module":
		return keyword{"namespace", inSpace | contextual | dotted}
	case "type":
		return keyword{"type", bare | contextual}
	case "function":
		return keyword{"function", inCode | bare} // an overload
	}
	return scriptWord(word)
}

func scriptModifier(word string) bool {
	switch word {
	case "export", "default", "declare", "abstract", "async", "const", "static", "public", "private", "protected", "readonly", "override", "get", "set",
		"accessor":
		return true
	}
	return false
}

func javaWord(word string) keyword {
	switch word {
	case "class":
		return keyword{"class", inType}
	case "interface":
		return keyword{"interface", inType}
	case "enum":
		return keyword{"enum", inEnum}
	case "record":
		return keyword{"record", inType | contextual}
	}
	return keyword{}
}

func javaModifier(word string) bool {
	switch word {
	case "public", "protected", "private", "static", "final", "abstract", "strictfp", "sealed", "synchronized", "native", "default", "transient",
		"volatile", "readonly", "var":
		return true
	}
	return false
}

func cWord(word string) keyword {
	switch word {
	case "struct":
		return keyword{"struct", inType | shaped}
	case "union":
		return keyword{"union", inType | shaped}
	case "enum":
		return keyword{"enum", inEnum | shaped}
	}
	return keyword{}
}

func cppWord(word string) keyword {
	switch word {
	case "class":
		return keyword{"class", inType | shaped}
	case "namespace":
		return keyword{"namespace", inSpace | dotted}
	case "concept":
		return keyword{"concept", bare | contextual}
	}
	return cWord(word)
}

func cModifier(word string) bool {
	switch word {
	case "static", "extern", "typedef", "const", "inline", "volatile", "constexpr", "friend", "__extension__", "virtual", "export", "register",
		"thread_local", "mutable":
		return true
	}
	return false
}

func sharpWord(word string) keyword {
	switch word {
	case "class":
		return keyword{"class", inType}
	case "struct":
		return keyword{"struct", inType}
	case "interface":
		return keyword{"interface", inType}
	case "record":
		return keyword{"record", inType | bare | contextual}
	case "enum":
		return keyword{"enum", inEnum}
	case "namespace":
		return keyword{"namespace", inSpace | dotted | bare}
	}
	return keyword{}
}

func sharpModifier(word string) bool {
	switch word {
	case "internal", "partial", "override", "virtual", "unsafe", "new", "extern", "async", "ref", "file", "required", "fixed", "const":
		return true
	}
	return javaModifier(word)
}

func rustWord(word string) keyword {
	switch word {
	case "fn":
		return keyword{"function", inCode | bare}
	case "struct":
		return keyword{"struct", bare}
	case "union":
		return keyword{"union", contextual}
	case "enum":
		return keyword{"enum", 0}
	case "trait":
		return keyword{"trait", inType}
	case "impl":
		return keyword{"impl", inType}
	case "mod":
		return keyword{"module", inSpace | bare}
	case "type":
		return keyword{"type", bare}
	case "const", "static":
		return keyword{word, bare}
	case "macro_rules":
		return keyword{"macro", 0}
	}
	return keyword{}
}

func rustModifier(word string) bool {
	switch word {
	case "pub", "unsafe", "async", "extern", "default", "crate":
		return true
	}
	return false
}

func phpWord(word string) keyword {
	switch word {
	case "class", "interface", "trait":
		return keyword{word, inType}
	case "enum":
		return keyword{word, inType | contextual}
	case "function":
		return keyword{"function", inCode | bare}
	case "namespace":
		return keyword{"namespace", inSpace | dotted | bare}
	}
	return keyword{}
}

func kotlinWord(word string) keyword {
	switch word {
	case "class":
		return keyword{"class", inType | bare}
	case "interface":
		return keyword{"interface", inType | bare}
	case "object":
		return keyword{"object", inType | bare}
	case "fun":
		return keyword{"function", inCode | bare | dotted}
	case "typealias":
		return keyword{"type", bare}
	}
	return keyword{}
}

func kotlinModifier(word string) bool {
	switch word {
	case "public", "protected", "private", "internal", "open", "final", "abstract", "sealed", "data", "inner", "inline", "value", "annotation", "enum",
		"companion", "override", "suspend", "operator", "infix", "tailrec", "external", "expect", "actual", "noinline", "crossinline", "lateinit",
		"const", "fun":
		return true
	}
	return false
}

func swiftWord(word string) keyword {
	switch word {
	case "class", "struct", "enum", "actor":
		return keyword{word, inType}
	case "protocol", "extension":
		return keyword{word, inType | dotted}
	case "func":
		return keyword{"function", inCode | bare}
	case "init", "deinit", "subscript":
		return keyword{"method", inCode | bare | contextual}
	case "typealias":
		return keyword{"type", bare}
	}
	return keyword{}
}

func swiftModifier(word string) bool {
	switch word {
	case "public", "private", "internal", "fileprivate", "open", "static", "final", "override", "mutating", "nonmutating", "class", "required",
		"convenience", "indirect", "prefix", "postfix", "infix", "dynamic", "lazy", "weak", "isolated", "nonisolated", "distributed", "package":
		return true
	}
	return false
}

func scalaWord(word string) keyword {
	switch word {
	case "class", "trait", "object", "enum":
		return keyword{word, inType | bare}
	case "def":
		return keyword{"function", inCode | bare}
	case "type":
		return keyword{"type", bare}
	}
	return keyword{}
}

func scalaModifier(word string) bool {
	switch word {
	case "private", "protected", "final", "sealed", "abstract", "case", "implicit", "override", "lazy", "inline", "package", "transparent", "opaque",
		"open", "infix":
		return true
	}
	return false
}
