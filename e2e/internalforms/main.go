// Prints the structs of Kubernetes' internal types: a line is the name of the versioned type, and the fields in the order of their
// declaration. A field is its Go name; NAME=json if the document has it under a name that differs in more than capitals; NAME:zero if the
// document does not have it. A mark ! follows a field that has no pointer although that of the document has one.
package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
)

const (
	internal  = "k8s.io/kubernetes/pkg/apis/"
	versioned = "k8s.io/api/"
)

// The versions whose types are not called v1.
var versions = map[string]string{"autoscaling": "v2"}

// structs collects the structs of packages below a path, by their names in the catalog.
func structs(t reflect.Type, prefix string, found map[string]reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		structs(t.Elem(), prefix, found)
	case reflect.Struct:
		name := name(t, prefix)
		if name == "" || found[name] != nil {
			return
		}
		found[name] = t
		for i := range t.NumField() {
			structs(t.Field(i).Type, prefix, found)
		}
	}
}

func name(t reflect.Type, prefix string) string {
	group, ok := strings.CutPrefix(t.PkgPath(), prefix)
	if !ok {
		return ""
	}
	if prefix == versioned {
		return strings.ReplaceAll(group, "/", ".") + "." + t.Name()
	}
	version := versions[group]
	if version == "" {
		version = "v1"
	}
	return group + "." + version + "." + t.Name()
}

// fields calls a function for each field, with those of embedded structs in their place.
func fields(t reflect.Type, visit func(reflect.StructField)) {
	for i := range t.NumField() {
		field := t.Field(i)
		switch {
		case field.Name == "TypeMeta" || field.Name == "ObjectMeta" || field.Name == "ListMeta":
		case field.Anonymous:
			fields(field.Type, visit)
		default:
			visit(field)
		}
	}
}

func zero(t reflect.Type) string {
	text, err := json.Marshal(reflect.Zero(t).Interface())
	if err != nil {
		panic(err)
	}
	return string(text)
}

func main() {
	own, documents := map[string]reflect.Type{}, map[string]reflect.Type{}
	for kind, t := range legacyscheme.Scheme.AllKnownTypes() {
		if kind.Version == runtime.APIVersionInternal {
			structs(t, internal, own)
		} else {
			structs(t, versioned, documents)
		}
	}
	names := []string{}
	for name := range own {
		if documents[name] != nil {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		tags, pointers := map[string]string{}, map[string]bool{}
		fields(documents[name], func(field reflect.StructField) {
			tags[field.Name] = strings.Split(field.Tag.Get("json"), ",")[0]
			pointers[tags[field.Name]] = field.Type.Kind() == reflect.Pointer
		})
		line := name
		fields(own[name], func(field reflect.StructField) {
			tag := tags[field.Name]
			if tag == "" {
				for _, other := range tags {
					if strings.EqualFold(other, field.Name) {
						tag = other
					}
				}
			}
			line += " " + field.Name
			if tag == "" {
				line += ":" + zero(field.Type)
			} else if !strings.EqualFold(tag, field.Name) {
				line += "=" + tag
			}
			if pointers[tag] && field.Type.Kind() != reflect.Pointer {
				line += "!"
			}
		})
		fmt.Println(line)
	}
}
