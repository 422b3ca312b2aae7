// How does JSON data become the values an expression sees?
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/google/cel-go/cel"
)

// bindingsOf converts the data of a question; "scores" is no variable in OCM's environments but what scores() reads.
func bindingsOf(question *request, setting *setting) (map[string]any, map[string][]score, error) {
	integers := integersAsInt(question.Env, question.Numbers)
	bindings := map[string]any{}
	var scores map[string][]score
	for name, raw := range question.Data {
		if name == "scores" && isOCM(question.Env) && setting.types[name] == nil {
			if err := json.Unmarshal(raw, &scores); err != nil {
				return nil, nil, fmt.Errorf("scores: %w", err)
			}
			continue
		}
		value, err := decode(raw, integers)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		if declared := setting.types[name]; declared != nil && declared.Kind() != cel.DynKind {
			if value, err = coerce(value, declared); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		bindings[name] = value
	}
	return bindings, scores, nil
}

func isOCM(env string) bool { return env == "placement" || env == "ocm" }

func integersAsInt(env, numbers string) bool {
	if numbers != "" {
		return numbers == "int"
	}
	return env != "bundle"
}

// decode gives nil, bool, string, int64, float64, []any and map[string]any.
func decode(raw []byte, integers bool) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return settleNumbers(value, integers)
}

func settleNumbers(value any, integers bool) (any, error) {
	var err error
	switch held := value.(type) {
	case json.Number:
		if integers {
			if integer, notInteger := strconv.ParseInt(string(held), 10, 64); notInteger == nil {
				return integer, nil
			}
		}
		return strconv.ParseFloat(string(held), 64)
	case []any:
		for index, item := range held {
			if held[index], err = settleNumbers(item, integers); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key, item := range held {
			if held[key], err = settleNumbers(item, integers); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}
