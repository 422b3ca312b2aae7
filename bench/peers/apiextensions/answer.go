// What becomes of an object, and what is wrong with it?
package main

import (
	"context"
	"errors"
	"math"
	"sort"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

func answer(question *request) response {
	schema, err := schemaOf(question.Schema)
	if err != nil {
		return response{Error: "schema: " + err.Error()}
	}
	result := response{SchemaFaults: schemaFaults(schema)}
	defined, err := definitionOf(schema, question.PreserveUnknownFields)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	if _, _, err := defined.read(question.Object, false); err != nil {
		result.Refused = err.Error()
	}
	object, dropped, err := defined.read(question.Object, true)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	sort.Strings(dropped)
	result.Object, result.Dropped = object, dropped
	if len(question.Old) == 0 {
		defined.judge(object, nil, &result)
		return result
	}
	old, _, err := defined.read(question.Old, true)
	if err != nil {
		result.Error = "old: " + err.Error()
		return result
	}
	defined.judge(object, old, &result)
	defined.ratchet(object, old, &result)
	return result
}

// read does what the API server does with an object from a request, or (repair) from the store, in the same order.
func (d *definition) read(raw []byte, repair bool) (map[string]any, []string, error) {
	object := map[string]any{}
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, nil, err
	}
	if object == nil {
		return nil, nil, errors.New("not an object")
	}
	meta, hasMeta, dropped, err := objectmeta.GetObjectMetaWithOptions(object, objectmeta.ObjectMetaOptions{
		DropMalformedFields: repair, ReturnUnknownFieldPaths: true,
	})
	if err != nil {
		return nil, nil, err
	}
	apiVersion, hasVersion := object["apiVersion"]
	kind, hasKind := object["kind"]
	if !d.preserveUnknownFields {
		tracked := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
		dropped = append(dropped, pruning.PruneWithOptions(object, d.structural, true, tracked)...)
		defaulting.PruneNonNullableNullsWithoutDefaults(object, d.structural)
	}
	fieldErr, paths := objectmeta.CoerceWithOptions(nil, object, d.structural, false, objectmeta.CoerceOptions{
		DropInvalidFields: repair, ReturnUnknownFieldPaths: true,
	})
	if fieldErr != nil {
		return nil, nil, fieldErr
	}
	dropped = append(dropped, paths...)
	if hasKind {
		object["kind"] = kind
	}
	if hasVersion {
		object["apiVersion"] = apiVersion
	}
	if hasMeta {
		if err := objectmeta.SetObjectMeta(object, meta); err != nil {
			return nil, nil, err
		}
	}
	defaulting.Default(object, d.structural)
	return object, dropped, nil
}

// judge asks every validator, and forgives nothing that was wrong before.
func (d *definition) judge(object, old map[string]any, result *response) {
	ctx := context.Background()
	if meta, found, err := objectmeta.GetObjectMeta(object, true); err == nil && found {
		result.Metadata = faultsOf(metavalidation.ValidateObjectMeta(meta, true, metavalidation.NameIsDNSSubdomain, field.NewPath("metadata")))
	}
	recorded := &recorder{SchemaCreateValidator: d.validator}
	fromSchema := validation.ValidateCustomResource(nil, object, recorded)
	embedded := objectmeta.Validate(ctx, nil, object, d.structural, false)
	lists := listtype.ValidateListSetsAndMaps(nil, d.structural, object)
	result.Schema = withKeywords(faultsOf(fromSchema), recorded.errors)
	result.Embedded, result.Lists = faultsOf(embedded), faultsOf(lists)
	if d.rules == nil {
		return
	}
	if blocks(fromSchema) || blocks(embedded) || blocks(lists) {
		result.RulesSkipped = true
		return
	}
	rules, left := d.rules.Validate(ctx, nil, d.structural, object, orNil(old), celconfig.RuntimeCELCostBudget)
	result.Rules, result.RuleCost = faultsOf(rules), celconfig.RuntimeCELCostBudget-max(left, math.MinInt32)
}

// ratchet judges an update as the API server does by default: what has not changed is not held against the object.
func (d *definition) ratchet(object, old map[string]any, result *response) {
	correlated := common.NewCorrelatedObject(object, old, &model.Structural{Structural: d.structural})
	fromSchema := validation.ValidateCustomResourceUpdate(nil, object, old, d.validator, validation.WithRatcheting(correlated))
	result.RatchetedSchema = faultsOf(fromSchema)
	if d.rules == nil || blocks(fromSchema) {
		return
	}
	rules, _ := d.rules.Validate(context.Background(), nil, d.structural, object, old, celconfig.RuntimeCELCostBudget, cel.WithRatcheting(correlated))
	result.RatchetedRules = faultsOf(rules)
}

// orNil keeps a nil map from becoming an interface that is not nil.
func orNil(object map[string]any) any {
	if object == nil {
		return nil
	}
	return object
}

// blocks says whether the API server asks no rules because of these faults.
func blocks(errs field.ErrorList) bool {
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return true
		}
	}
	return false
}
