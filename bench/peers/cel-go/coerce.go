// How does a JSON value become a value of the type its variable was declared with?
package main

import (
	"encoding/base64"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/resource"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

func coerce(value any, declared *cel.Type) (any, error) {
	switch declared.Kind() {
	case cel.IntKind:
		return strconv.ParseInt(fmt.Sprint(value), 10, 64)
	case cel.UintKind:
		return strconv.ParseUint(fmt.Sprint(value), 10, 64)
	case cel.DoubleKind:
		return strconv.ParseFloat(fmt.Sprint(value), 64)
	case cel.ListKind:
		return coerceList(value, declared.Parameters()[0])
	case cel.MapKind:
		return coerceMap(value, declared.Parameters()[0], declared.Parameters()[1])
	}
	if declared.TypeName() == "optional_type" {
		return coerceOptional(value, declared.Parameters()[0])
	}
	text, isText := value.(string)
	if !isText {
		return value, nil
	}
	return coerceText(text, declared)
}

func coerceText(text string, declared *cel.Type) (any, error) {
	switch declared.Kind() {
	case cel.BytesKind:
		return base64.StdEncoding.DecodeString(text)
	case cel.TimestampKind:
		return time.Parse(time.RFC3339Nano, text)
	case cel.DurationKind:
		return time.ParseDuration(text)
	case cel.TypeKind:
		if named, found := simpleTypes[text]; found {
			return named, nil
		}
	}
	switch declared.TypeName() {
	case "kubernetes.Quantity":
		quantity, err := resource.ParseQuantity(text)
		return apiservercel.Quantity{Quantity: &quantity}, err
	case "kubernetes.URL":
		parsed, err := url.Parse(text)
		return apiservercel.URL{URL: parsed}, err
	case "kubernetes.Semver":
		version, err := semver.Parse(text)
		return apiservercel.Semver{Version: version}, err
	case "net.IP":
		address, err := netip.ParseAddr(text)
		return apiservercel.IP{Addr: address}, err
	case "net.CIDR":
		prefix, err := netip.ParsePrefix(text)
		return apiservercel.CIDR{Prefix: prefix}, err
	}
	return text, nil
}

func coerceList(value any, element *cel.Type) (any, error) {
	items, isList := value.([]any)
	if !isList {
		return value, nil
	}
	for index, item := range items {
		coerced, err := coerce(item, element)
		if err != nil {
			return nil, err
		}
		items[index] = coerced
	}
	return items, nil
}

// coerceMap keeps a map with string keys a Go map of that kind, which is what the products hand over.
func coerceMap(value any, key, element *cel.Type) (any, error) {
	entries, isMap := value.(map[string]any)
	if !isMap {
		return value, nil
	}
	converted := map[ref.Val]ref.Val{}
	for name, item := range entries {
		coerced, err := coerce(item, element)
		if err != nil {
			return nil, err
		}
		entries[name] = coerced
		if key.Kind() != cel.StringKind && key.Kind() != cel.DynKind {
			coercedKey, err := coerceKey(name, key)
			if err != nil {
				return nil, err
			}
			converted[toValue(coercedKey)] = toValue(coerced)
		}
	}
	if len(converted) > 0 {
		return converted, nil
	}
	return entries, nil
}

func coerceKey(name string, key *cel.Type) (any, error) {
	if key.Kind() == cel.BoolKind {
		return strconv.ParseBool(name)
	}
	return coerce(name, key)
}

func coerceOptional(value any, held *cel.Type) (any, error) {
	if value == nil {
		return types.OptionalNone, nil
	}
	coerced, err := coerce(value, held)
	if err != nil {
		return nil, err
	}
	return types.OptionalOf(toValue(coerced)), nil
}

func toValue(native any) ref.Val { return types.DefaultTypeAdapter.NativeToValue(native) }
