// How many times per CPU second does cel-go evaluate each expression, with and without counting its cost?
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"syscall"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

const (
	benchLimit   = uint64(1_000_000)
	benchAnswers = 200
	benchSamples = 5
	benchBatch   = 64
)

type benchPlan struct {
	Expressions []struct {
		ID             json.RawMessage `json:"id"`
		Expression     string          `json:"expression"`
		Env            string          `json:"env"`
		KubernetesCost string          `json:"kubernetesCost"`
	} `json:"expressions"`
	Objects map[string][]map[string]json.RawMessage `json:"objects"`
	Seconds float64                                 `json:"seconds"`
}

type benchResult struct {
	ID            json.RawMessage `json:"id"`
	Error         string          `json:"error,omitempty"`
	PerSecond     float64         `json:"perCpuSecond,omitempty"`
	PerSecondFree float64         `json:"perCpuSecondWithoutCost,omitempty"`
	Answers       []any           `json:"answers,omitempty"`
	Costs         []uint64        `json:"costs,omitempty"`
}

type benchObject struct {
	bindings map[string]any
	scores   map[string][]score
}

func runBench(file string, out *bufio.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	plan := benchPlan{Seconds: 0.3}
	if err := json.Unmarshal(text, &plan); err != nil {
		return err
	}
	results := []benchResult{}
	objects := map[string][]benchObject{}
	for _, each := range plan.Expressions {
		result := benchResult{ID: idOrNull(each.ID)}
		question := &request{Env: each.Env, Expression: each.Expression, KubernetesCost: each.KubernetesCost}
		if raw := plan.Objects[each.Env]; len(raw) > 0 {
			question.Data = raw[0]
		}
		if err := benchOne(question, &result, objects, &plan); err != nil {
			result.Error = err.Error()
		}
		results = append(results, result)
	}
	writeLine(out, map[string]any{"samples": benchSamples, "seconds": plan.Seconds, "results": results})
	return nil
}

func benchOne(question *request, result *benchResult, known map[string][]benchObject, plan *benchPlan) error {
	setting, err := settingFor(question)
	if err != nil {
		return err
	}
	objects, found := known[question.Env]
	if !found {
		if objects, err = benchObjects(question.Env, setting, plan); err != nil {
			return err
		}
		known[question.Env] = objects
	}
	ast, problems := compile(setting.env, question.Expression, false)
	if problems != nil {
		return errors.New(problems[0].Message)
	}
	limit := benchLimit
	counted, err := setting.env.Program(ast, costOptions(question.KubernetesCost, &limit)...)
	if err != nil {
		return err
	}
	free, err := setting.env.Program(ast)
	if err != nil {
		return err
	}
	result.Answers, result.Costs = benchAnswer(counted, setting, objects)
	result.PerSecond = speed(counted, setting, objects, plan.Seconds)
	result.PerSecondFree = speed(free, setting, objects, plan.Seconds)
	return nil
}

func benchObjects(env string, setting *setting, plan *benchPlan) ([]benchObject, error) {
	objects := []benchObject{}
	for _, data := range plan.Objects[env] {
		bindings, scores, err := bindingsOf(&request{Env: env, Data: data}, setting)
		if err != nil {
			return nil, err
		}
		objects = append(objects, benchObject{bindings, scores})
	}
	if len(objects) == 0 {
		objects = append(objects, benchObject{bindings: map[string]any{}})
	}
	return objects, nil
}

func benchAnswer(program cel.Program, setting *setting, objects []benchObject) ([]any, []uint64) {
	answers, costs := []any{}, []uint64{}
	for _, object := range objects[:min(len(objects), benchAnswers)] {
		setting.scores.current = object.scores
		value, details, err := program.Eval(object.bindings)
		answered, isBool := value.(types.Bool)
		switch {
		case err != nil:
			answers = append(answers, "error")
		case isBool:
			answers = append(answers, bool(answered))
		default:
			answers = append(answers, encode(value))
		}
		costs = append(costs, *details.ActualCost())
	}
	return answers, costs
}

// speed takes the best of some samples, each of at least the given CPU time, all objects in turn.
func speed(program cel.Program, setting *setting, objects []benchObject, seconds float64) float64 {
	best := 0.0
	next := 0
	for sample := 0; sample < benchSamples; sample++ {
		done, start, used := 0, cpuSeconds(), 0.0
		for used < seconds {
			for batch := 0; batch < benchBatch; batch++ {
				object := &objects[next]
				if next++; next == len(objects) {
					next = 0
				}
				setting.scores.current = object.scores
				_, _, _ = program.Eval(object.bindings)
			}
			done += benchBatch
			used = cpuSeconds() - start
		}
		best = max(best, float64(done)/used)
	}
	return best
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
