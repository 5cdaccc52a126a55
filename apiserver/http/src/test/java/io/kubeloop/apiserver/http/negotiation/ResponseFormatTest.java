/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.negotiation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.apiserver.http.negotiation.ResponseFormat.Encoding;
import io.kubeloop.apiserver.http.negotiation.ResponseFormat.Shape;
import io.kubeloop.apiserver.rest.StatusException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseFormatTest {

    private static final List<Encoding> CUSTOM = List.of(Encoding.JSON, Encoding.YAML);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|JSON|OBJECT|''",
                "application/json|JSON|OBJECT|''",
                "*/*|JSON|OBJECT|''",
                "application/*|JSON|OBJECT|''",
                "application/yaml|YAML|OBJECT|''",
                "application/json;q=0.1,application/yaml;q=0.9|YAML|OBJECT|''",
                "application/cbor,application/json|JSON|OBJECT|''",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8|JSON|OBJECT|''",
                "*/*, application/yaml|YAML|OBJECT|''",
                "application/json, application/vnd.kubernetes.protobuf|JSON|OBJECT|''",
                "application/vnd.kubernetes.protobuf|PROTOBUF|OBJECT|''",
                "application/json;q=0.9, application/vnd.kubernetes.protobuf;stream=watch|PROTOBUF|OBJECT|''",
                "application/json; charset=utf-8|JSON|OBJECT|''",
                "application/json;stream=watch|JSON|OBJECT|''",
                "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,"
                        + "application/json|JSON|TABLE|v1",
                "application/json;as=Table;v=v1beta1;g=meta.k8s.io, application/json|JSON|TABLE|v1beta1",
                "application/yaml;as=Table;v=v1;g=meta.k8s.io|YAML|TABLE|v1",
                "application/json;q=0.5, application/json;as=Table;v=v1;g=meta.k8s.io|JSON|TABLE|v1",
                "application/json;as=Table;v=v9;g=meta.k8s.io,application/json|JSON|OBJECT|''",
                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json|JSON|METADATA|v1",
                "application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io,application/json|JSON|"
                        + "METADATA_LIST|v1beta1",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json|JSON|OBJECT|''",
                "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io,*/*|PROTOBUF|"
                        + "METADATA|v1beta1",
            })
    void negotiate_somethingServed_takesTheFirst(String accept, Encoding encoding, Shape shape, String version) {
        assertThat(ResponseFormat.negotiate(accept, ResponseFormat.ALL, true))
                .isEqualTo(new ResponseFormat(encoding, shape, version, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/cbor",
                "bad",
                "APPLICATION/JSON",
                "application/json;stream=list",
                "application/yaml;stream=watch",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
                "application/json;as=PartialObjectMetadata;v=v2;g=meta.k8s.io",
                "application/json;as=Table;v=v1;g=other",
                "application/json;as=Table"
            })
    void negotiate_nothingServed_isNotAcceptable(String accept) {
        assertThatThrownBy(() -> ResponseFormat.negotiate(accept, ResponseFormat.ALL, true))
                .isInstanceOfSatisfying(
                        StatusException.class, e -> assertThat(e.code()).isEqualTo(406))
                .hasMessage("only the following media types are accepted: application/json, application/yaml,"
                        + " application/vnd.kubernetes.protobuf");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/vnd.kubernetes.protobuf, application/json", "*/*"})
    void negotiate_customResource_hasNoProtocolBuffers(String accept) {
        assertThat(ResponseFormat.negotiate(accept, CUSTOM, true)).isEqualTo(ResponseFormat.PLAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "application/json;q=0", "text/html, */*", "application/yaml ; as=Table"})
    void route_comparesTypesWithoutParameters(String accept) {
        assertThatCode(() -> ResponseFormat.requireRoute(accept, ResponseFormat.ALL, true))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/*", "text/html", "bad"})
    void route_doesNotKnowPartsOfTypes(String accept) {
        assertThatThrownBy(() -> ResponseFormat.requireRoute(accept, ResponseFormat.ALL, true))
                .hasMessage("406: Not Acceptable\n\nAvailable representations: application/json, application/yaml,"
                        + " application/vnd.kubernetes.protobuf, application/json;stream=watch,"
                        + " application/vnd.kubernetes.protobuf;stream=watch");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/yaml", "application/yaml;q=1,application/json;q=0.5"})
    void watch_hasNoYaml(String accept) {
        assertThatThrownBy(() -> ResponseFormat.negotiateStream(accept, ResponseFormat.ALL))
                .hasMessage("only the following media types are accepted: application/json;stream=watch,"
                        + " application/vnd.kubernetes.protobuf;stream=watch");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json;as=Table;v=v1;g=meta.k8s.io|JSON|true",
                "application/cbor|JSON|true",
                "application/yaml|YAML|false",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/yaml|YAML|false",
            })
    void status_isNeverConverted_andIsSentInJsonIfNeedBe(String accept, Encoding encoding, boolean indented) {
        assertThat(ResponseFormat.ofStatus(accept, ResponseFormat.ALL))
                .isEqualTo(new ResponseFormat(encoding, Shape.OBJECT, "", indented));
    }
}
