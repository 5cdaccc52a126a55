package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.apiserver.http.ResponseFormat.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseFormatTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|OBJECT|''",
                "application/json|OBJECT|''",
                "*/*|OBJECT|''",
                "application/*|OBJECT|''",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8|OBJECT|''",
                "application/json, application/vnd.kubernetes.protobuf|OBJECT|''",
                "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json|TABLE|v1",
                "application/json;as=Table;v=v1beta1;g=meta.k8s.io, application/json|TABLE|v1beta1",
                "application/json;q=0.5, application/json;as=Table;v=v1;g=meta.k8s.io|TABLE|v1",
                "application/json;as=Table;v=v9;g=meta.k8s.io,application/json|OBJECT|''",
                "application/json;as=Widget;v=v1;g=meta.k8s.io,application/json|OBJECT|''",
                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json|METADATA|v1",
                "application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io,application/json|METADATA_LIST|v1beta1",
                "APPLICATION/JSON; Stream=watch|OBJECT|''",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json|OBJECT|''",
                "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io,*/*|OBJECT|''",
            })
    void negotiate_somethingServed_takesTheFirst(String accept, Shape shape, String version) {
        assertThat(ResponseFormat.negotiate(accept, true)).isEqualTo(new ResponseFormat(false, shape, version));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/vnd.kubernetes.protobuf|OBJECT|''",
                "application/vnd.kubernetes.protobuf, */*|OBJECT|''",
                "application/json;q=0.9, application/vnd.kubernetes.protobuf;stream=watch|OBJECT|''",
                "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json|METADATA|v1",
            })
    void negotiate_protobuf_isTakenWhereThereIsSuchAForm(String accept, Shape shape, String version) {
        assertThat(ResponseFormat.negotiate(accept, true)).isEqualTo(new ResponseFormat(true, shape, version));
        if (accept.contains(",")) {
            assertThat(ResponseFormat.negotiate(accept, false)).isEqualTo(ResponseFormat.PLAIN);
        } else {
            assertThatThrownBy(() -> ResponseFormat.negotiate(accept, false)).hasMessageContaining(accept);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/yaml",
                "application/json;q=0",
                "application/json;q=x",
                "application/vnd.kubernetes.protobuf;q=0",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
                "application/json;as=PartialObjectMetadata;v=v2;g=meta.k8s.io",
                "application/json;as=Table;v=v1;g=other"
            })
    void negotiate_nothingServed_isNotAcceptable(String accept) {
        assertThatThrownBy(() -> ResponseFormat.negotiate(accept, true))
                .isInstanceOfSatisfying(
                        HttpApiFailure.class, e -> assertThat(e.code()).isEqualTo(406))
                .hasMessageContaining(accept);
    }
}
