// Command gotypes prints the Go types of Kubernetes' API as JSON: every field with its JSON name, its numbers in protocol
// buffers and its type. OpenAPI shows neither numbers nor zero values, and error messages name Go's types.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	discovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// field is one member of a JSON object. Path has its number in protocol buffers, after the numbers of the messages around it
// that JSON inlines. In has the names of the Go fields that hold these.
type field struct {
	Name      string   `json:"name"`
	Path      []string `json:"path"`
	In        []string `json:"in"`
	Pointer   bool     `json:"pointer"`
	OmitEmpty bool     `json:"omitEmpty"`
	OmitZero  bool     `json:"omitZero"`
	Type      *goType  `json:"type"`
}

// goType describes a type: its kind, its own name if it has one, and the types of keys and elements. Custom types decode JSON
// in their own way, messages are encoded as messages although they are no structs.
type goType struct {
	Kind    string  `json:"kind"`
	Name    string  `json:"name,omitempty"`
	Custom  bool    `json:"custom,omitempty"`
	Message bool    `json:"message,omitempty"`
	Key     *goType `json:"key,omitempty"`
	Of      *goType `json:"of,omitempty"`
}

var types = map[string][]field{}

// modelName returns the name of a type in OpenAPI documents.
func modelName(t reflect.Type) string {
	if named, ok := reflect.New(t).Interface().(interface{ OpenAPIModelName() string }); ok {
		return named.OpenAPIModelName()
	}
	parts := strings.Split(t.PkgPath(), "/")
	host := strings.Split(parts[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	return strings.Join(append(append(host, parts[1:]...), t.Name()), ".")
}

func describe(t reflect.Type) *goType {
	result := &goType{Kind: t.Kind().String()}
	if t.PkgPath() != "" {
		result.Name = modelName(t)
	}
	_, result.Custom = reflect.New(t).Interface().(json.Unmarshaler)
	_, result.Message = reflect.New(t).Interface().(interface{ MarshalTo([]byte) (int, error) })
	switch t.Kind() {
	case reflect.Map:
		result.Key = describe(t.Key())
		result.Of = describe(t.Elem())
	case reflect.Pointer, reflect.Slice:
		result.Of = describe(t.Elem())
	case reflect.Struct:
		if !result.Custom {
			walk(t)
		}
	}
	return result
}

func walk(t reflect.Type) {
	name := modelName(t)
	if _, seen := types[name]; seen {
		return
	}
	types[name] = []field{}
	types[name] = fields(t, []string{}, []string{}, true)
}

func fields(t reflect.Type, outer, in []string, inMessage bool) []field {
	result := []field{}
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		options := strings.Split(f.Tag.Get("json"), ",")
		if !f.IsExported() || options[0] == "-" {
			continue
		}
		path := []string{}
		tag := strings.Split(f.Tag.Get("protobuf"), ",")
		hasNumber := inMessage && len(tag) > 1
		if hasNumber {
			path = append(append(path, outer...), tag[1])
		}
		if f.Anonymous && options[0] == "" {
			embedded := append(append([]string{}, in...), f.Name)
			result = append(result, fields(f.Type, path, embedded, hasNumber)...)
			continue
		}
		member := field{Name: options[0], Path: path, In: in, Type: describe(f.Type)}
		for _, option := range options[1:] {
			member.OmitEmpty = member.OmitEmpty || option == "omitempty"
			member.OmitZero = member.OmitZero || option == "omitzero"
		}
		if f.Type.Kind() == reflect.Pointer {
			member.Pointer = true
			member.Type = member.Type.Of
		}
		result = append(result, member)
	}
	return result
}

func main() {
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme, discovery.AddToScheme, meta.AddMetaToScheme,
	} {
		if err := add(all); err != nil {
			panic(err)
		}
	}
	kinds := map[string]string{}
	for gvk, t := range all.AllKnownTypes() {
		if t.Kind() != reflect.Struct || gvk.Version == runtime.APIVersionInternal {
			continue
		}
		kinds[gvk.GroupVersion().String()+"/"+gvk.Kind] = modelName(t)
		walk(t)
	}
	walk(reflect.TypeOf(version.Info{}))
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(map[string]any{"kinds": kinds, "types": types}); err != nil {
		panic(err)
	}
}
