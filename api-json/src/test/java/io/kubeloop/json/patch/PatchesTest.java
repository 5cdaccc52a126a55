package io.kubeloop.json.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.Patch;
import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatchesTest {

    private static final MergeSchema POD = MergeSchema.of("", "Pod");

    @Test
    void strategicMerge_nullsAndDirectivesInNewValues_areLeftOut() {
        assertThat(
                        apply(
                                Patch.Type.STRATEGIC_MERGE,
                                "{\"metadata\":{}}",
                                "{\"metadata\":{\"labels\":{\"a\":null,\"b\":\"1\"},\"ownerReferences\":[{\"$patch\":\"delete\",\"uid\":\"u\"}]},"
                                        + "\"spec\":{\"$setElementOrder/containers\":[{\"name\":\"a\"}],\"containers\":[{\"name\":\"a\",\"image\":null}]}}"))
                .isEqualTo(
                        JsonObject.parse(
                                "{\"metadata\":{\"labels\":{\"b\":\"1\"},\"ownerReferences\":[]},\"spec\":{\"containers\":[{\"name\":\"a\"}]}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'metadata':{}}|{'metadata':{'$deleteFromPrimitiveList/finalizers':['a']}}|{'metadata':{}}",
                "{'spec':{'args':['a','b']}}|{'spec':{'$deleteFromPrimitiveList/args':['a']}}|{'spec':{'args':['b']}}",
            })
    void strategicMerge_deletionFromAnyListOfScalars_isNeverData(String object, String patch, String result) {
        assertThat(apply(Patch.Type.STRATEGIC_MERGE, quoted(object), quoted(patch)))
                .isEqualTo(JsonObject.parse(quoted(result)));
    }

    private static String quoted(String json) {
        return json.replace('\'', '"');
    }

    @Test
    void apply_yaml_mergesListsByKey() {
        assertThat(apply(
                        Patch.Type.APPLY,
                        "{\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"a\",\"image\":\"1\"},{\"name\":\"b\"}]}}",
                        "spec:\n  containers:\n  - name: a\n    image: \"2\"\n"))
                .isEqualTo(
                        JsonObject.parse(
                                "{\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"a\",\"image\":\"2\"},{\"name\":\"b\"}]}}"));
    }

    @Test
    void apply_twoDocuments_isMalformed() {
        assertThatThrownBy(() -> apply(Patch.Type.APPLY, "{}", "a: 1\n---\nb: 1\n"))
                .isInstanceOf(PatchException.class)
                .hasMessageContaining("2");
    }

    @ParameterizedTest
    @EnumSource(Patch.Type.class)
    void anyType_bodyThatIsNoPatch_isMalformed(Patch.Type type) {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(type, "{}", "\"x\""))
                .matches(PatchException::isMalformed);
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(type, "{}", "{"))
                .matches(PatchException::isMalformed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":[1,2]}|[{\"op\":\"add\",\"path\":\"/a/-1\",\"value\":3}]|{\"a\":[1,2,3]}",
                "{\"a\":[1,2]}|[{\"op\":\"remove\",\"path\":\"/a/-1\"}]|{\"a\":[1]}",
                "{\"a\":[{\"b\":1}]}|[{\"op\":\"replace\",\"path\":\"/a/0/b\",\"value\":2}]|{\"a\":[{\"b\":2}]}",
                "{\"a\":1}|[{\"op\":\"test\",\"path\":\"/b\",\"value\":null}]|{\"a\":1}",
                "{\"a\":1}|[{\"op\":\"copy\",\"path\":\"/b\",\"from\":\"/a\"}]|{\"a\":1,\"b\":1}",
                "{\"a\":1.0}|[{\"op\":\"test\",\"path\":\"/a\",\"value\":1}]|{\"a\":1.0}",
                "{\"\":1}|[{\"op\":\"remove\",\"path\":\"/\"}]|{}",
            })
    void jsonPatch_fits_isApplied(String document, String patch, String result) {
        assertThat(apply(Patch.Type.JSON, document, patch)).isEqualTo(JsonObject.parse(result));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"op\":\"add\",\"path\":\"/x/y\",\"value\":1}",
                "{\"op\":\"add\",\"path\":\"/a/b/c\",\"value\":1}",
                "{\"op\":\"replace\",\"path\":\"/l/3\",\"value\":1}",
                "{\"op\":\"remove\",\"path\":\"/l/x\"}",
                "{\"op\":\"remove\",\"path\":\"/l/-3\"}",
                "{\"op\":\"move\",\"path\":\"/b\",\"from\":\"/z\"}",
                "{\"op\":\"jump\",\"path\":\"/a\"}",
                "{\"op\":\"remove\",\"path\":\"\"}",
            })
    void jsonPatch_doesNotFit_isUnprocessable(String operation) {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(Patch.Type.JSON, "{\"a\":1,\"l\":[1,2]}", "[" + operation + "]"))
                .matches(e -> !e.isMalformed());
    }

    /** Each of them small, and what they make of a document is not. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'op':'add','path':'/l','value':['0123456789']}, | {'op':'copy','from':'/l','path':'/l/-'} | 40",
                "{'op':'add','path':'/l','value':{}}, | {'op':'copy','from':'/l','path':'/m'},{'op':'add','path':'/l','value':{}},{'op':'move','from':'/m','path':'/l/m'} | 300",
                "{'op':'test','path':'/l'}, | {'op':'test','path':'/l'} | 10000"
            })
    void jsonPatch_thatMakesTooMuchOfADocument_isRefused(String first, String repeated, int times) {
        String operations = first + (repeated + ",").repeat(times);
        String patch = "[" + operations.substring(0, operations.length() - 1).replace('\'', '"') + "]";

        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(Patch.Type.JSON, "{}", patch))
                .matches(e -> e.fault() == PatchException.Fault.TOO_LARGE);
    }

    @Test
    void jsonPatch_operationWithoutPath_isMalformed() {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(Patch.Type.JSON, "{}", "[{\"op\":\"add\"}]"))
                .matches(PatchException::isMalformed);
    }

    private static JsonObject apply(Patch.Type type, String document, String patch) {
        return Patches.apply(type, POD, JsonObject.parse(document), patch.getBytes(UTF_8));
    }
}
