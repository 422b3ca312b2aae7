// What do a question and an answer look like on the wire?
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

type request struct {
	ID                    json.RawMessage `json:"id"`
	Schema                json.RawMessage `json:"schema"`
	Object                json.RawMessage `json:"object"`
	Old                   json.RawMessage `json:"old"`
	PreserveUnknownFields bool            `json:"preserveUnknownFields"`
}

// response tells the faults apart by the validator that found them. A fault of the schema means that no API server would
// have taken it; what follows is then what the validators say all the same, if they can.
type response struct {
	ID json.RawMessage `json:"id"`
	// SchemaFaults is what ValidateCustomResourceDefinition says about the schema.
	SchemaFaults []fault `json:"schemaFaults,omitempty"`
	// Refused is why a request with the object cannot even be decoded; an object from the store is repaired instead.
	Refused string `json:"refused,omitempty"`
	// Object is what is served: pruned, coerced, with defaults.
	Object any `json:"object,omitempty"`
	// Dropped are the fields that were pruned.
	Dropped []string `json:"dropped,omitempty"`
	// Metadata, Schema, Embedded, Lists and Rules are the faults that each validator found.
	Metadata []fault `json:"metadata,omitempty"`
	Schema   []fault `json:"schema,omitempty"`
	Embedded []fault `json:"embedded,omitempty"`
	Lists    []fault `json:"lists,omitempty"`
	Rules    []fault `json:"rules,omitempty"`
	// RulesSkipped says that the rules were not asked, because of the other faults.
	RulesSkipped bool `json:"rulesSkipped,omitempty"`
	// RuleCost is what the rules cost.
	RuleCost int64 `json:"ruleCost,omitempty"`
	// RatchetedSchema and RatchetedRules are the faults that an update from the old object would be refused for.
	RatchetedSchema []fault `json:"ratchetedSchema,omitempty"`
	RatchetedRules  []fault `json:"ratchetedRules,omitempty"`
	Error           string  `json:"error,omitempty"`
}

type fault struct {
	Path string `json:"path"`
	// Type is the type of the field error; Keyword that of the schema, where the validator tells.
	Type    string `json:"type,omitempty"`
	Keyword string `json:"keyword,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

func faultsOf(errs field.ErrorList) []fault {
	faults := make([]fault, 0, len(errs))
	for _, err := range errs {
		faults = append(faults, fault{Path: pathOf(err.Field), Type: string(err.Type), Detail: err.Detail})
	}
	return faults
}

// pathOf is empty for the object itself, which prints as "<nil>".
func pathOf(path string) string {
	if path == "<nil>" {
		return ""
	}
	return path
}

// answerLine never fails: a line that cannot be answered becomes an answer with an error.
func answerLine(line []byte) (result response) {
	var question request
	defer func() {
		if problem := recover(); problem != nil {
			result = response{ID: idOrNull(question.ID), Error: fmt.Sprintf("oracle panic: %v", problem)}
		}
	}()
	if err := json.Unmarshal(line, &question); err != nil {
		return response{ID: idOrNull(question.ID), Error: "bad request: " + err.Error()}
	}
	result = answer(&question)
	result.ID = idOrNull(question.ID)
	return result
}

func idOrNull(id json.RawMessage) json.RawMessage {
	if len(id) == 0 {
		return json.RawMessage("null")
	}
	return id
}

func writeLine(out *bufio.Writer, value any) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fmt.Fprintf(out, "{\"id\":null,\"error\":%q}\n", err.Error())
	}
}

func trimmed(line []byte) []byte { return bytes.TrimSpace(line) }
