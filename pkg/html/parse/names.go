package parse

import "slices"

// The names of SVG with upper case letters, sorted by their lower case form
// (sections 13.2.6.1 and 13.2.6.5).
var (
	svgElements = [...]string{
		"altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath", "feBlend",
		"feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap",
		"feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage", "feMerge",
		"feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence",
		"foreignObject", "glyphRef", "linearGradient", "radialGradient", "textPath",
	}
	svgAttributes = [...]string{
		"attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits", "diffuseConstant", "edgeMode",
		"filterUnits", "glyphRef", "gradientTransform", "gradientUnits", "kernelMatrix", "kernelUnitLength", "keyPoints", "keySplines",
		"keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight", "markerUnits", "markerWidth", "maskContentUnits", "maskUnits",
		"numOctaves", "pathLength", "patternContentUnits", "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ",
		"preserveAlpha", "preserveAspectRatio", "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions",
		"requiredFeatures", "specularConstant", "specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
		"surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY", "textLength", "viewBox", "viewTarget", "xChannelSelector",
		"yChannelSelector", "zoomAndPan",
	}
)

// adjust returns a lower case name as SVG spells it.
func adjust(names []string, lower string) string {
	at, found := slices.BinarySearchFunc(names, lower, compareFold)
	if !found {
		return lower
	}
	return names[at]
}

// compareFold compares the lower case form of s with another lower case text.
func compareFold(s, lower string) int {
	for i := range min(len(s), len(lower)) {
		if c := int(lowered(s[i])) - int(lower[i]); c != 0 {
			return c
		}
	}
	return len(s) - len(lower)
}
