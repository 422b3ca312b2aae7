// Which keyword of the schema does an error of kube-openapi mean?
package main

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// recorder remembers the errors of a validation before they become field errors, which tell less.
type recorder struct {
	validation.SchemaCreateValidator
	errors []error
}

func (r *recorder) Validate(value any, options ...validation.ValidationOption) *validate.Result {
	result := r.SchemaCreateValidator.Validate(value, options...)
	r.errors = result.Errors
	return result
}

var keywords = map[int32]string{
	openapierrors.RequiredFailCode:             "required",
	openapierrors.TooLongFailCode:              "maxLength",
	openapierrors.TooShortFailCode:             "minLength",
	openapierrors.PatternFailCode:              "pattern",
	openapierrors.EnumFailCode:                 "enum",
	openapierrors.MultipleOfFailCode:           "multipleOf",
	openapierrors.MultipleOfMustBePositiveCode: "multipleOf",
	openapierrors.MaxFailCode:                  "maximum",
	openapierrors.MinFailCode:                  "minimum",
	openapierrors.UniqueFailCode:               "uniqueItems",
	openapierrors.MaxItemsFailCode:             "maxItems",
	openapierrors.MinItemsFailCode:             "minItems",
	openapierrors.TooFewPropertiesCode:         "minProperties",
	openapierrors.TooManyPropertiesCode:        "maxProperties",
	openapierrors.UnallowedPropertyCode:        "additionalProperties",
}

var types = map[string]bool{
	"object": true, "array": true, "string": true, "integer": true, "number": true, "boolean": true, "null": true,
}

// withKeywords names the keyword of each fault; both lists come from the same validation, in the same order. An error that
// has no path of its own tells it in its text. They are sorted, because maps were walked in any order.
func withKeywords(faults []fault, errs []error) []fault {
	for index := range faults {
		text := errs[index].Error()
		code := int32(0)
		if err, isOpenAPI := errs[index].(openapierrors.Error); isOpenAPI {
			code = err.Code()
		}
		if keyword, known := keywords[code]; known {
			faults[index].Keyword = keyword
			continue
		}
		switch {
		case code == openapierrors.InvalidTypeCode:
			faults[index].Keyword = typeOrFormat(text)
		case strings.Contains(text, "(anyOf)"):
			faults[index].Keyword = "anyOf"
		case strings.Contains(text, "(oneOf)"):
			faults[index].Keyword = "oneOf"
		case strings.Contains(text, "(allOf)"):
			faults[index].Keyword = "allOf"
		case strings.Contains(text, "(not)"):
			faults[index].Keyword = "not"
		case strings.Contains(text, " must be of type "):
			faults[index].Keyword = boundOrType(text)
			faults[index].Path = text[strings.LastIndex(text, " in ")+len(" in "):]
		}
		if rest, quoted := strings.CutPrefix(text, `"`); quoted && faults[index].Path == "" {
			path, _, _ := strings.Cut(rest, `" must`)
			faults[index].Path = strings.TrimPrefix(path, ".")
		}
	}
	slices.SortStableFunc(faults, func(a, b fault) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Keyword, b.Keyword), strings.Compare(a.Detail, b.Detail))
	})
	return faults
}

// typeOrFormat tells the two apart by what the value should have been.
func typeOrFormat(text string) string {
	_, rest, _ := strings.Cut(text, "must be of type ")
	wanted, _, _ := strings.Cut(rest, ":")
	first, _, _ := strings.Cut(wanted, ",")
	if types[strings.Trim(first, "[] ")] {
		return "type"
	}
	return "format"
}

// boundOrType names what does not fit into the type of its number: a bound of the schema, or the value.
func boundOrType(text string) string {
	switch {
	case strings.HasPrefix(text, "Maximum"):
		return "maximum"
	case strings.HasPrefix(text, "Minimum"):
		return "minimum"
	case strings.HasPrefix(text, "MultipleOf"):
		return "multipleOf"
	case strings.Contains(text, " with format "):
		return "format"
	}
	return "type"
}
