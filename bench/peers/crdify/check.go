// How does OLM v1 ask crdify, and what comes back?
package main

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/crdify/pkg/config"
	"sigs.k8s.io/crdify/pkg/runner"
	"sigs.k8s.io/crdify/pkg/validations"
	"sigs.k8s.io/crdify/pkg/validations/property"
	"sigs.k8s.io/crdify/pkg/validators/version"
)

// fault is one error of one validation; version and property are empty where it is about the whole definition.
type fault struct {
	Validation string `json:"validation"`
	Version    string `json:"version,omitempty"`
	Property   string `json:"property,omitempty"`
	Message    string `json:"message"`
}

// newRunner is configured as operator-controller's CRD upgrade safety preflight: everything is an error, but descriptions
// do not count, further values of an enumeration are fine, and served versions are not compared when a webhook converts.
func newRunner() (*runner.Runner, error) {
	return runner.New(&config.Config{
		Conversion:           config.ConversionPolicyIgnore,
		UnhandledEnforcement: config.EnforcementPolicyError,
		Validations: []config.ValidationConfig{
			{Name: "description", Enforcement: config.EnforcementPolicyNone},
			{
				Name:          "enum",
				Enforcement:   config.EnforcementPolicyError,
				Configuration: map[string]any{"additionPolicy": property.AdditionPolicyAllow},
			},
		},
	}, runner.DefaultRegistry())
}

func faultsOf(results *runner.Results) []fault {
	faults := []fault{}
	add := func(version, path string, compared []validations.ComparisonResult) {
		for _, result := range compared {
			for _, message := range result.Errors {
				// What it found that it does not know is a difference of Go values, printed differently from run to run.
				if result.Name == "unhandled" {
					message, _, _ = strings.Cut(message, " :")
				}
				faults = append(faults, fault{result.Name, version, path, message})
			}
		}
	}
	add("", "", results.CRDValidation)
	for _, versions := range [][]version.VersionedPropertyComparisonResult{results.SameVersionValidation, results.ServedVersionValidation} {
		for _, one := range versions {
			for _, compared := range one.PropertyComparisons {
				add(one.Version, compared.Property, compared.ComparisonResults)
			}
		}
	}
	slices.SortFunc(faults, func(a, b fault) int {
		return cmp.Or(
			strings.Compare(a.Version, b.Version), strings.Compare(a.Property, b.Property),
			strings.Compare(a.Validation, b.Validation), strings.Compare(a.Message, b.Message),
		)
	})
	return faults
}
