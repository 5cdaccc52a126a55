package io.kubeloop.apiserver.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FieldTableTest {

    private static final FieldTable TABLE = FieldTable.builtIn();

    @Test
    void unknownFields_slipsAtAnyDepth_areFoundWithTheirPaths() {
        String yaml = """
                apiVersion: v1
                kind: Pod
                metadata: {name: a, lables: {x: z}, annotations: {anything: goes}}
                spec:
                  nodeSelector: {any: thing}
                  containers:
                  - name: a
                    imagee: b
                    livenessProbe: {httpGet: {path: /, prot: 80}}
                  - name: b
                    env: [{name: x, valueFrom: {fieldRef: {fieldPath: status.podIP}, what: ever}}]
                  volumes: [{name: v, emptyDir: {}, configMap: {name: c, items: [{key: a, path: b, mod: 1}]}}]
                extra: 1
                """;
        assertThat(TABLE.unknownFields("Pod", Manifests.read("test", yaml).get(0)))
                .containsExactly(
                        "metadata.lables",
                        "spec.containers[0].imagee",
                        "spec.containers[0].livenessProbe.httpGet.prot",
                        "spec.containers[1].env[0].valueFrom.what",
                        "spec.volumes[0].configMap.items[0].mod",
                        "extra");
    }

    @Test
    void unknownFields_directivesOfAPatch_arePassedOver() {
        JsonObject patch = JsonObject.parse("{\"spec\":{\"$setElementOrder/containers\":[{\"name\":\"a\"}],"
                + "\"containers\":[{\"name\":\"a\",\"$patch\":\"delete\",\"image\":null}]}}");
        assertThat(TABLE.unknownFields("Pod", patch)).isEmpty();
    }

    @Test
    void unknownFields_ofAnUnknownKind_areNotGuessed() {
        assertThat(TABLE.unknownFields("Widget", JsonObject.EMPTY.with("a", 1))).isEmpty();
    }

    @Test
    void table_hasEveryServedKind() {
        BuiltInKinds.create()
                .resources()
                .forEach(resource ->
                        assertThat(TABLE.types()).contains(resource.type().kind()));
    }

    @Test
    void schema_everyReference_leadsToAType() {
        Pattern reference = Pattern.compile("\"#/(.*?)\"");
        for (String type : TABLE.types()) {
            Matcher matcher =
                    reference.matcher(TABLE.schema(type, name -> "#/" + name).toString());
            while (matcher.find()) {
                assertThat(TABLE.types()).as(type).contains(matcher.group(1));
            }
        }
        JsonObject container = TABLE.schema("Container", name -> "#/" + name).object("properties");
        assertThat(container.string("name", "type")).isEqualTo("string");
        assertThat(container.string("stdin", "type")).isEqualTo("boolean");
        assertThat(container.string("command", "items", "type")).isEqualTo("string");
        assertThat(container.object("ports", "items")).hasToString("{\"allOf\":[{\"$ref\":\"#/ContainerPort\"}]}");
    }
}
