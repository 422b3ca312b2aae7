// Which function does the Operator Lifecycle Manager add for bundle constraints?
package main

import (
	"fmt"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

func olmOptions() []cel.EnvOption {
	return []cel.EnvOption{
		cel.Variable("properties", cel.ListType(cel.MapType(cel.StringType, cel.DynType))),
		cel.Function("semver_compare", cel.Overload("semver_compare",
			[]*cel.Type{cel.DynType, cel.DynType}, cel.IntType, cel.BinaryBinding(compareVersions))),
	}
}

// compareVersions reads whatever it is given by its printed form.
func compareVersions(left, right ref.Val) ref.Val {
	var parsed [2]semver.Version
	for index, value := range []ref.Val{left, right} {
		version, err := semver.ParseTolerant(fmt.Sprint(value.Value()))
		if err != nil {
			return types.NewErr("unable to parse '%v' to semver format", value.Value())
		}
		parsed[index] = version
	}
	return types.Int(parsed[0].Compare(parsed[1]))
}
