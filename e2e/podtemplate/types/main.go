// Prints the Go types that a pod template reaches, a line each: the fields of a struct in their order, or the form of a named type.
// The hash of a pod template covers the names, the order and the types of all fields.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	v1 "k8s.io/api/core/v1"
)

var seen = map[reflect.Type]bool{}

func walk(t reflect.Type) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		walk(t.Elem())
	case reflect.Map:
		walk(t.Key())
		walk(t.Elem())
	case reflect.Struct:
		// Times and quantities print in a form of their own.
		if t.String() == "v1.Time" || t.String() == "resource.Quantity" || t.String() == "v1.FieldsV1" || t.String() == "intstr.IntOrString" {
			return
		}
		for i := 0; i < t.NumField(); i++ {
			walk(t.Field(i).Type)
		}
	}
}

func form(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		var fields []string
		for i := 0; i < t.NumField(); i++ {
			f := t.Field(i)
			json := strings.Split(f.Tag.Get("json"), ",")[0]
			name := f.Name
			if f.Anonymous && json == "" {
				name += "=" // its members belong to the object around it
			} else if json != strings.ToLower(name[:1])+name[1:] {
				name += "=" + json
			}
			fields = append(fields, name+":"+f.Type.String())
		}
		return "{} " + strings.Join(fields, " ")
	case reflect.Map:
		return "= map[" + t.Key().String() + "]" + t.Elem().String()
	case reflect.Slice:
		return "= []" + t.Elem().String()
	default:
		return "= " + t.Kind().String()
	}
}

func main() {
	walk(reflect.TypeOf(v1.PodTemplateSpec{}))
	var lines []string
	for t := range seen {
		if t.Name() != "" && t.PkgPath() != "" {
			lines = append(lines, t.String()+" "+form(t))
		}
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
}
