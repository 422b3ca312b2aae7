// What does a call cost? cel-go's own figures, with Kubernetes' figures on top when asked, and always OCM's for its two
// functions.
package main

import (
	"math"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiserver/pkg/cel/library"
)

const scoreCost = common.MapCreateBaseCost + common.SelectAndIdentCost

type callCosts struct {
	kubernetes *library.CostEstimator
}

func costOptions(mode string, limit *uint64) []cel.ProgramOption {
	costs := &callCosts{}
	if mode == "kubernetes" {
		costs.kubernetes = &library.CostEstimator{}
	}
	options := []cel.ProgramOption{cel.CostTracking(costs)}
	if limit != nil {
		options = append(options, cel.CostLimit(*limit))
	}
	return options
}

func (c *callCosts) CallCost(function, overload string, args []ref.Val, result ref.Val) *uint64 {
	if c.kubernetes != nil {
		if cost := c.kubernetes.CallCost(function, overload, args, result); cost != nil {
			return cost
		}
	}
	var cost uint64
	switch function {
	case "scores":
		cost = common.ListCreateBaseCost
		if list, ok := result.(traits.Lister); ok {
			cost += scoreCost * sizeOf(list)
		}
	case "parseJSON":
		cost = structureCost(result)
		if len(args) > 0 {
			cost += uint64(math.Ceil(common.StringTraversalCostFactor * float64(sizeOf(args[0]))))
		}
	default:
		return nil
	}
	return &cost
}

// structureCost is what building a value from JSON costs: each map and each list its base cost, scalars nothing.
func structureCost(value ref.Val) uint64 {
	var cost uint64
	switch held := value.(type) {
	case traits.Mapper:
		cost = common.MapCreateBaseCost
		for keys := held.Iterator(); keys.HasNext() == types.True; {
			cost += structureCost(held.Get(keys.Next()))
		}
	case traits.Lister:
		cost = common.ListCreateBaseCost
		for items := held.Iterator(); items.HasNext() == types.True; {
			cost += structureCost(items.Next())
		}
	}
	return cost
}

func sizeOf(value ref.Val) uint64 {
	if sized, ok := value.(traits.Sizer); ok {
		return uint64(sized.Size().(types.Int))
	}
	return 1
}

// unknownSizes is a static estimator that knows nothing about the data.
type unknownSizes struct{}

func (unknownSizes) EstimateSize(checker.AstNode) *checker.SizeEstimate { return nil }

func (unknownSizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

func staticEstimator(mode string) checker.CostEstimator {
	if mode == "kubernetes" {
		return &library.CostEstimator{SizeEstimator: unknownSizes{}}
	}
	return unknownSizes{}
}
