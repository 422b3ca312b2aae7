// Which functions does Open Cluster Management add for choosing clusters?
package main

import (
	"encoding/json"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// scoreTable is what the score function reads: set it before an evaluation. Resource name to its scores.
type scoreTable struct {
	current map[string][]score
}

type score struct {
	Name  string `json:"name"`
	Value int32  `json:"value"`
}

func ocmOptions(table *scoreTable) []cel.EnvOption {
	return []cel.EnvOption{
		cel.Variable("managedCluster", cel.MapType(cel.StringType, cel.DynType)),
		cel.Function("scores", cel.MemberOverload("cluster_scores",
			[]*cel.Type{cel.DynType, cel.StringType}, cel.ListType(cel.DynType), cel.BinaryBinding(table.find))),
		cel.Function("parseJSON", cel.MemberOverload("parse_json_string",
			[]*cel.Type{cel.StringType}, cel.DynType, cel.UnaryBinding(parseJSON))),
	}
}

// find panics on a target that is no map, as OCM does: cel-go turns that into an error nothing absorbs.
func (t *scoreTable) find(target, resource ref.Val) ref.Val {
	metadata, found := target.(traits.Mapper).Find(types.String("metadata"))
	if !found {
		return types.NewErr("failed to get cluster metadata")
	}
	if _, found = metadata.(traits.Mapper).Find(types.String("name")); !found {
		return types.NewErr("failed to get cluster name")
	}
	name := string(resource.(types.String))
	scores, found := t.current[name]
	if !found {
		return types.NewErr("failed to get score: addonplacementscore.cluster.open-cluster-management.io %q not found", name)
	}
	list := make([]ref.Val, 0, len(scores))
	for _, one := range scores {
		entry := map[string]any{"name": one.Name, "value": one.Value}
		list = append(list, types.NewStringInterfaceMap(types.DefaultTypeAdapter, entry))
	}
	return types.NewDynamicList(types.DefaultTypeAdapter, list)
}

func parseJSON(text ref.Val) ref.Val {
	var parsed any
	if err := json.Unmarshal([]byte(text.(types.String)), &parsed); err != nil {
		return types.NewErr("failed to parse json: %v", err)
	}
	return types.DefaultTypeAdapter.NativeToValue(parsed)
}
