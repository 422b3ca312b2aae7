// What is the answer to one question: its type, its value or error, and what it cost?
package main

import (
	"strconv"

	"github.com/google/cel-go/cel"
)

func answer(question *request) response {
	setting, err := settingFor(question)
	if err != nil {
		return response{Error: "environment: " + err.Error()}
	}
	ast, problems := compile(setting.env, question.Expression, question.DisableCheck)
	if problems != nil {
		return response{Errors: problems}
	}
	result := response{}
	if !question.DisableCheck {
		result.Type = cel.FormatCELType(ast.OutputType())
	}
	if question.Estimate {
		estimate, err := setting.env.EstimateCost(ast, staticEstimator(question.KubernetesCost))
		if err != nil {
			result.Error = "estimate: " + err.Error()
			return result
		}
		result.Estimate = map[string]string{
			"min": strconv.FormatUint(estimate.Min, 10),
			"max": strconv.FormatUint(estimate.Max, 10),
		}
	}
	program, err := setting.env.Program(ast, costOptions(question.KubernetesCost, question.CostLimit)...)
	if err != nil {
		result.Errors = []compileError{{Message: err.Error(), Stage: "plan"}}
		return result
	}
	bindings, scores, err := bindingsOf(question, setting)
	if err != nil {
		result.Error = "data: " + err.Error()
		return result
	}
	setting.scores.current = scores
	value, details, err := program.Eval(bindings)
	result.Cost = details.ActualCost()
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Value = encode(value)
	return result
}

// compile parses, and checks unless told not to.
func compile(env *cel.Env, expression string, parseOnly bool) (*cel.Ast, []compileError) {
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return nil, compileErrors(issues, "parse")
	}
	if parseOnly {
		return parsed, nil
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, compileErrors(issues, "check")
	}
	return checked, nil
}

func compileErrors(issues *cel.Issues, stage string) []compileError {
	problems := make([]compileError, 0, len(issues.Errors()))
	for _, problem := range issues.Errors() {
		problems = append(problems, compileError{
			Line:    problem.Location.Line(),
			Column:  problem.Location.Column() + 1,
			Message: problem.Message,
			Stage:   stage,
		})
	}
	return problems
}
