// What do a question and an answer look like on the wire?
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
)

type request struct {
	ID             json.RawMessage            `json:"id"`
	Expression     string                     `json:"expression"`
	Env            string                     `json:"env"`
	Data           map[string]json.RawMessage `json:"data"`
	Variables      map[string]string          `json:"variables"`
	CostLimit      *uint64                    `json:"costLimit"`
	KubernetesCost string                     `json:"kubernetesCost"`
	Estimate       bool                       `json:"estimate"`
	DisableCheck   bool                       `json:"disableCheck"`
	Container      string                     `json:"container"`
	Numbers        string                     `json:"numbers"`
	CrossType      bool                       `json:"crossType"`
	With           []string                   `json:"with"`
}

type response struct {
	ID       json.RawMessage   `json:"id"`
	Type     string            `json:"type,omitempty"`
	Errors   []compileError    `json:"errors,omitempty"`
	Value    any               `json:"value,omitempty"`
	Error    string            `json:"error,omitempty"`
	Cost     *uint64           `json:"cost,omitempty"`
	Estimate map[string]string `json:"estimate,omitempty"`
}

// compileError has the line and the column (both from 1) that cel-go prints; stage is "parse", "check" or "plan".
type compileError struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	Stage   string `json:"stage"`
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
		var only struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(line, &only)
		return response{ID: idOrNull(only.ID), Error: "bad request: " + err.Error()}
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
