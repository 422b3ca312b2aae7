package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/cel/library"
)

// row is one line of a table.
type row map[string]any

var environment = newEnvironment()

func newEnvironment() *cel.Env {
	env, err := cel.NewEnv(
		cel.Variable("s", cel.StringType), cel.Variable("t", cel.StringType), cel.Variable("n", cel.IntType),
		cel.OptionalTypes(), library.URLs(), library.Quantity(), library.IP(), library.CIDR(), library.Format(),
		library.SemverLib(library.SemverVersion(1)),
	)
	check(err)
	return env
}

var programs = map[string]cel.Program{}

// ask evaluates an expression over the texts s and t and the number n; an error is an answer too.
func ask(expression, s, t string, n int64) (ref.Val, error) {
	program, known := programs[expression]
	if !known {
		ast, issues := environment.Compile(expression)
		check(issues.Err())
		var err error
		program, err = environment.Program(ast)
		check(err)
		programs[expression] = program
	}
	value, _, err := program.Eval(map[string]any{"s": s, "t": t, "n": n})
	return value, err
}

// answer is the value in a form that JSON holds exactly: integers and timestamps as text; nil for an error.
func answer(expression, s, t string, n int64) any {
	value, err := ask(expression, s, t, n)
	if err != nil {
		return nil
	}
	return plain(value)
}

func answers(s, t string, n int64, expressions ...string) []any {
	all := make([]any, len(expressions))
	for i, expression := range expressions {
		all[i] = answer(expression, s, t, n)
	}
	return all
}

func plain(value ref.Val) any {
	switch v := value.(type) {
	case types.Bool:
		return bool(v)
	case types.Int:
		return strconv.FormatInt(int64(v), 10)
	case types.Double:
		if math.IsInf(float64(v), 0) || math.IsNaN(float64(v)) {
			return strconv.FormatFloat(float64(v), 'g', -1, 64)
		}
		return float64(v)
	case types.String:
		return string(v)
	case types.Timestamp, types.Duration:
		return plain(v.ConvertToType(types.StringType))
	case *types.Optional:
		if !v.HasValue() {
			return nil
		}
		return plain(v.GetValue())
	}
	if list, err := value.ConvertToNative(stringsType); err == nil {
		return list
	}
	if text, err := value.ConvertToNative(stringType); err == nil {
		return text
	}
	fail(fmt.Errorf("a %T cannot be written", value))
	return nil
}

// cost is what the Kubernetes estimator takes for a call; 1 where it leaves the decision to cel-go.
func cost(function, overload string, args ...ref.Val) uint64 {
	if found := (&library.CostEstimator{}).CallCost(function, overload, args, types.True); found != nil {
		return *found
	}
	return 1
}
