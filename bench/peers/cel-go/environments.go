// Which libraries and variables does each environment offer?
package main

import (
	"fmt"
	"sort"
	"strings"

	"cel.dev/expr/conformance/proto2"
	"cel.dev/expr/conformance/proto3"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apiserver/pkg/cel/library"
)

// setting is an environment made ready for a kind of question; it is kept for the next one.
type setting struct {
	env    *cel.Env
	scores *scoreTable
	types  map[string]*cel.Type
}

var settings = map[string]*setting{}

// keptSettings bounds the memory a long stream of different variables takes.
const keptSettings = 1000

// extensions are the libraries that "with" adds to any environment, by name.
var extensions = map[string]func() cel.EnvOption{
	"optional":       func() cel.EnvOption { return cel.OptionalTypes() },
	"strings":        func() cel.EnvOption { return ext.Strings() },
	"math":           func() cel.EnvOption { return ext.Math() },
	"lists":          func() cel.EnvOption { return ext.Lists() },
	"sets":           func() cel.EnvOption { return ext.Sets() },
	"encoders":       func() cel.EnvOption { return ext.Encoders() },
	"bindings":       func() cel.EnvOption { return ext.Bindings() },
	"comprehensions": func() cel.EnvOption { return ext.TwoVarComprehensions() },
	"regex":          func() cel.EnvOption { return ext.Regex() },
	"network":        func() cel.EnvOption { return ext.Network() },
	"protos":         func() cel.EnvOption { return ext.Protos() },
	"utc":            func() cel.EnvOption { return cel.DefaultUTCTimeZone(true) },
	"escapes":        func() cel.EnvOption { return cel.EnableIdentifierEscapeSyntax() },
	"homogeneous":    func() cel.EnvOption { return cel.HomogeneousAggregateLiterals() },
}

func kubernetesLibraries(listsVersion, semverVersion uint32) []cel.EnvOption {
	return []cel.EnvOption{
		library.Lists(library.ListsVersion(listsVersion)),
		library.Regex(),
		library.URLs(),
		library.Quantity(),
		library.IP(),
		library.CIDR(),
		library.Format(),
		library.SemverLib(library.SemverVersion(semverVersion)),
	}
}

func baseOptions(name string, table *scoreTable) ([]cel.EnvOption, error) {
	named := func(names ...string) []cel.EnvOption {
		options := []cel.EnvOption{}
		for _, each := range names {
			options = append(options, extensions[each]())
		}
		return options
	}
	switch name {
	case "", "plain":
		options := named("optional", "strings", "math", "lists", "sets", "encoders", "bindings", "comprehensions", "regex")
		return append(options, kubernetesLibraries(1, 1)...), nil
	case "network":
		return named("optional", "network"), nil
	case "bundle":
		return append(olmOptions(), kubernetesLibraries(0, 1)...), nil
	case "placement", "ocm":
		semverVersion := uint32(1)
		if name == "ocm" {
			semverVersion = 0
		}
		options := append(ocmOptions(table), named("optional", "strings")...)
		return append(options, kubernetesLibraries(0, semverVersion)...), nil
	case "spec":
		options := named("optional", "strings", "math", "lists", "sets", "encoders", "bindings", "comprehensions", "regex",
			"network", "protos", "escapes")
		return append(options, cel.EnableErrorOnBadPresenceTest(true), cel.Types(
			&proto2.TestAllTypes{}, &proto2.TestRequired{}, &proto3.TestAllTypes{})), nil
	}
	return nil, fmt.Errorf("unknown environment %q", name)
}

func settingFor(question *request) (*setting, error) {
	variables, key, err := declaredTypes(question)
	if err != nil {
		return nil, err
	}
	if known, found := settings[key]; found {
		return known, nil
	}
	made := &setting{scores: &scoreTable{}, types: variables}
	base, err := baseOptions(question.Env, made.scores)
	if err != nil {
		return nil, err
	}
	options := []cel.EnvOption{cel.CrossTypeNumericComparisons(question.CrossType)}
	for _, name := range question.With {
		extension, found := extensions[name]
		if !found {
			return nil, fmt.Errorf("unknown extension %q", name)
		}
		options = append(options, extension())
	}
	options = append(options, base...)
	if question.Container != "" {
		options = append(options, cel.Container(question.Container))
	}
	for name, variable := range variables {
		options = append(options, cel.Variable(name, variable))
	}
	if made.env, err = cel.NewEnv(options...); err != nil {
		return nil, err
	}
	if len(settings) >= keptSettings {
		clear(settings)
	}
	settings[key] = made
	return made, nil
}

// declaredTypes gives every variable of the question that its environment does not declare itself, and a key for all of it.
func declaredTypes(question *request) (map[string]*cel.Type, string, error) {
	texts := map[string]string{}
	for name := range question.Data {
		if !declaredByEnvironment(question.Env, name) {
			texts[name] = "dyn"
		}
	}
	for name, text := range question.Variables {
		texts[name] = text
	}
	parts := []string{}
	variables := map[string]*cel.Type{}
	for name, text := range texts {
		variable, err := parseType(text)
		if err != nil {
			return nil, "", fmt.Errorf("variable %s: %w", name, err)
		}
		variables[name] = variable
		parts = append(parts, name+":"+text)
	}
	sort.Strings(parts)
	key := fmt.Sprintf("%s|%s|%t|%s|%s", question.Env, question.Container, question.CrossType,
		strings.Join(question.With, ","), strings.Join(parts, ";"))
	return variables, key, nil
}

func declaredByEnvironment(env, name string) bool {
	switch env {
	case "bundle":
		return name == "properties"
	case "placement", "ocm":
		return name == "managedCluster" || name == "scores"
	}
	return false
}
