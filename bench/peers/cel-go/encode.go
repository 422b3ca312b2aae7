// How is a CEL value written as JSON without losing its type?
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

func encode(value ref.Val) any {
	switch held := value.(type) {
	case types.Int:
		return map[string]any{"int": strconv.FormatInt(int64(held), 10)}
	case types.Uint:
		return map[string]any{"uint": strconv.FormatUint(uint64(held), 10)}
	case types.Double:
		return map[string]any{"double": doubleText(float64(held))}
	case types.Bool:
		return map[string]any{"bool": bool(held)}
	case types.String:
		return map[string]any{"string": string(held)}
	case types.Bytes:
		return map[string]any{"bytes": []byte(held)}
	case types.Null:
		return map[string]any{"null": true}
	case types.Timestamp:
		return map[string]any{"timestamp": held.Time.UTC().Format(time.RFC3339Nano)}
	case types.Duration:
		return map[string]any{"duration": durationText(held.Duration)}
	case *types.Optional:
		if !held.HasValue() {
			return map[string]any{"optional": nil}
		}
		return map[string]any{"optional": encode(held.GetValue())}
	case ref.Type:
		return map[string]any{"type": held.TypeName()}
	case traits.Lister:
		return map[string]any{"list": encodeList(held)}
	case traits.Mapper:
		return map[string]any{"map": encodeMap(held)}
	}
	return map[string]any{"opaque": map[string]any{"type": value.Type().TypeName(), "text": opaqueText(value)}}
}

func encodeList(list traits.Lister) []any {
	items := []any{}
	for iterator := list.Iterator(); iterator.HasNext() == types.True; {
		items = append(items, encode(iterator.Next()))
	}
	return items
}

// encodeMap sorts the entries by the text of their keys (by bytes), then by the key's type.
func encodeMap(mapped traits.Mapper) [][2]any {
	type entry struct {
		text string
		pair [2]any
	}
	entries := []entry{}
	for iterator := mapped.Iterator(); iterator.HasNext() == types.True; {
		key := iterator.Next()
		text := fmt.Sprintf("%v\x00%s", key.Value(), key.Type().TypeName())
		entries = append(entries, entry{text, [2]any{encode(key), encode(mapped.Get(key))}})
	}
	sort.Slice(entries, func(left, right int) bool { return entries[left].text < entries[right].text })
	pairs := [][2]any{}
	for _, each := range entries {
		pairs = append(pairs, each.pair)
	}
	return pairs
}

// doubleText writes a double as JavaScript does, save for the infinities and minus zero.
func doubleText(value float64) string {
	switch {
	case math.IsNaN(value):
		return "NaN"
	case math.IsInf(value, 1):
		return "+Inf"
	case math.IsInf(value, -1):
		return "-Inf"
	}
	text, _ := json.Marshal(value)
	return string(text)
}

func durationText(duration time.Duration) string {
	sign, nanos := "", uint64(duration)
	if duration < 0 {
		sign, nanos = "-", -uint64(duration)
	}
	text := fmt.Sprintf("%s%d", sign, nanos/1e9)
	if fraction := nanos % 1e9; fraction != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%09d", fraction), "0")
	}
	return text + "s"
}

func opaqueText(value ref.Val) string {
	switch held := value.(type) {
	case apiservercel.Quantity:
		return held.Quantity.String()
	case apiservercel.IP:
		return held.Addr.String()
	case apiservercel.CIDR:
		return held.Prefix.String()
	case apiservercel.URL:
		return held.URL.String()
	case apiservercel.Semver:
		return held.Version.String()
	case apiservercel.Format:
		return held.Name
	}
	return fmt.Sprint(value.Value())
}
