// Reads pod templates (a JSON list of {name, template, collisionCount}) and prints them with the text and the hash that Kubernetes
// computes. Each template passes through protocol buffers first, as the controller manager receives it.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/utils/dump"
)

type vector struct {
	Name           string          `json:"name"`
	Template       json.RawMessage `json:"template"`
	CollisionCount *int32          `json:"collisionCount,omitempty"`
	Text           string          `json:"text"`
	Hash           string          `json:"hash"`
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var vectors []vector
	check(json.NewDecoder(os.Stdin).Decode(&vectors))
	for i := range vectors {
		var read, template v1.PodTemplateSpec
		check(json.Unmarshal(vectors[i].Template, &read))
		bytes, err := read.Marshal()
		check(err)
		check(template.Unmarshal(bytes))
		vectors[i].Text = fmt.Sprintf("%v", dump.ForHash(template))
		hash := fnv.New32a()
		hash.Write([]byte(vectors[i].Text))
		if count := vectors[i].CollisionCount; count != nil {
			var counted [8]byte
			binary.LittleEndian.PutUint32(counted[:], uint32(*count))
			hash.Write(counted[:])
		}
		vectors[i].Hash = rand.SafeEncodeString(fmt.Sprint(hash.Sum32()))
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	check(out.Encode(vectors))
}
