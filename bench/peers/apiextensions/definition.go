// What is a definition made of one schema, and what does the API server say about it?
package main

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	definitionvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

const (
	group   = "example.org"
	version = "v1"
	kind    = "Case"
)

// definition is everything that the API server makes of a version of a CustomResourceDefinition.
type definition struct {
	structural            *structuralschema.Structural
	validator             validation.SchemaValidator
	rules                 *cel.Validator
	preserveUnknownFields bool
}

func schemaOf(raw []byte) (*apiextensions.JSONSchemaProps, error) {
	written := &v1.JSONSchemaProps{}
	if err := utiljson.Unmarshal(raw, written); err != nil {
		return nil, err
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(written, internal, nil); err != nil {
		return nil, err
	}
	return internal, nil
}

func definitionOf(schema *apiextensions.JSONSchemaProps, preserveUnknownFields bool) (*definition, error) {
	structural, err := structuralschema.NewStructural(schema)
	if err != nil {
		return nil, fmt.Errorf("not structural: %w", err)
	}
	structural = structural.DeepCopy()
	if err := defaulting.PruneDefaults(structural); err != nil {
		return nil, fmt.Errorf("defaults: %w", err)
	}
	validator, _, err := validation.NewSchemaValidator(schema)
	if err != nil {
		return nil, fmt.Errorf("validator: %w", err)
	}
	return &definition{
		structural:            structural,
		validator:             validator,
		rules:                 cel.NewValidator(structural, true, celconfig.PerCallLimit),
		preserveUnknownFields: preserveUnknownFields,
	}, nil
}

// schemaFaults leaves out what is said about other parts of the definition, and about keeping unknown fields everywhere,
// which only definitions that are there already may do.
func schemaFaults(schema *apiextensions.JSONSchemaProps) []fault {
	crd := &apiextensions.CustomResourceDefinition{}
	crd.Name = "cases." + group
	crd.Spec = apiextensions.CustomResourceDefinitionSpec{
		Group:      group,
		Names:      apiextensions.CustomResourceDefinitionNames{Plural: "cases", Singular: "case", Kind: kind, ListKind: kind + "List"},
		Scope:      apiextensions.NamespaceScoped,
		Versions:   []apiextensions.CustomResourceDefinitionVersion{{Name: version, Served: true, Storage: true}},
		Validation: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: schema},
		Conversion: &apiextensions.CustomResourceConversion{Strategy: apiextensions.NoneConverter},
	}
	keep := false
	crd.Spec.PreserveUnknownFields = &keep
	crd.Status.StoredVersions = []string{version}
	faults := field.ErrorList{}
	for _, err := range definitionvalidation.ValidateCustomResourceDefinition(context.Background(), crd) {
		const prefix = "spec.validation.openAPIV3Schema"
		if strings.HasPrefix(err.Field, prefix) {
			err.Field = strings.TrimPrefix(strings.TrimPrefix(err.Field, prefix), ".")
			faults = append(faults, err)
		}
	}
	return faultsOf(faults)
}
