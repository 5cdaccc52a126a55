// Prints, for each pod of pods.jsonl, what the checks of the Pod Security Standards find at each level, and from which version.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

const newest = 37

type finding struct {
	Level string `json:"level"`
	Since int    `json:"since"`
	Text  string `json:"text"`
}

type vector struct {
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	Expected map[string]any  `json:"expected"`
}

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	check(err)
	pods, err := os.Open("pods.jsonl")
	check(err)
	lines := bufio.NewScanner(pods)
	lines.Buffer(nil, 1<<20)
	fmt.Println(`{"cases": [`)
	for number := 1; lines.Scan(); number++ {
		var pod corev1.Pod
		check(json.Unmarshal(lines.Bytes(), &pod))
		findings := []finding{}
		for _, level := range []api.Level{api.LevelBaseline, api.LevelRestricted} {
			last := ""
			for minor := 0; minor <= newest; minor++ {
				version := api.LevelVersion{Level: level, Version: api.MajorMinorVersion(1, minor)}
				result := policy.AggregateCheckResults(evaluator.EvaluatePod(version, &pod.ObjectMeta, &pod.Spec))
				if text := result.ForbiddenDetail(); text != last {
					findings = append(findings, finding{string(level), minor, text})
					last = text
				}
			}
		}
		if number > 1 {
			fmt.Println(",")
		}
		row, err := json.Marshal(vector{pod.Name, append(json.RawMessage{}, lines.Bytes()...), map[string]any{"findings": findings}})
		check(err)
		fmt.Print(string(row))
	}
	check(lines.Err())
	fmt.Println("\n]}")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
