// Which CEL type does a text such as "map(string, list(int))" stand for?
package main

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

var simpleTypes = map[string]*cel.Type{
	"int":       cel.IntType,
	"uint":      cel.UintType,
	"double":    cel.DoubleType,
	"bool":      cel.BoolType,
	"string":    cel.StringType,
	"bytes":     cel.BytesType,
	"dyn":       cel.DynType,
	"any":       cel.AnyType,
	"null":      cel.NullType,
	"null_type": cel.NullType,
	"timestamp": cel.TimestampType,
	"duration":  cel.DurationType,
	"type":      types.TypeType,

	"google.protobuf.Timestamp": cel.TimestampType,
	"google.protobuf.Duration":  cel.DurationType,

	"kubernetes.Quantity":    apiservercel.QuantityType,
	"kubernetes.URL":         apiservercel.URLType,
	"kubernetes.Semver":      apiservercel.SemverType,
	"kubernetes.NamedFormat": apiservercel.FormatType,
	"net.IP":                 apiservercel.IPType,
	"net.CIDR":               apiservercel.CIDRType,
}

func parseType(text string) (*cel.Type, error) {
	parsed, rest, err := readType(text)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(rest) != "" {
		return nil, fmt.Errorf("unexpected %q in type %q", rest, text)
	}
	return parsed, nil
}

func readType(text string) (*cel.Type, string, error) {
	text = strings.TrimLeft(text, " ")
	end := strings.IndexAny(text, "(), ")
	if end < 0 {
		end = len(text)
	}
	name, rest := text[:end], strings.TrimLeft(text[end:], " ")
	if name == "" {
		return nil, "", fmt.Errorf("type name expected at %q", text)
	}
	parameters := []*cel.Type{}
	if strings.HasPrefix(rest, "(") {
		for next := byte(','); next == ','; {
			parameter, after, err := readType(rest[1:])
			if err != nil {
				return nil, "", err
			}
			parameters = append(parameters, parameter)
			rest = strings.TrimLeft(after, " ")
			if rest == "" {
				return nil, "", fmt.Errorf("')' expected after %q", text)
			}
			next = rest[0]
		}
		if rest[0] != ')' {
			return nil, "", fmt.Errorf("')' expected at %q", rest)
		}
		rest = rest[1:]
	}
	made, err := makeType(name, parameters)
	return made, rest, err
}

func makeType(name string, parameters []*cel.Type) (*cel.Type, error) {
	count := len(parameters)
	switch {
	case name == "list" && count == 1:
		return cel.ListType(parameters[0]), nil
	case name == "list" && count == 0:
		return cel.ListType(cel.DynType), nil
	case name == "map" && count == 2:
		return cel.MapType(parameters[0], parameters[1]), nil
	case name == "map" && count == 0:
		return cel.MapType(cel.DynType, cel.DynType), nil
	case (name == "optional" || name == "optional_type") && count == 1:
		return cel.OptionalType(parameters[0]), nil
	case name == "type" && count == 1:
		return types.NewTypeTypeWithParam(parameters[0]), nil
	}
	if simple, found := simpleTypes[name]; found {
		if count != 0 {
			return nil, fmt.Errorf("type %s takes no parameters", name)
		}
		return simple, nil
	}
	if strings.Contains(name, "TestAllTypes") || strings.HasPrefix(name, "google.protobuf.") {
		return cel.ObjectType(name), nil
	}
	return cel.OpaqueType(name, parameters...), nil
}
