package io.kubeloop.transport.memory.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerFormatTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|''",
                "application/json|''",
                "*/*|''",
                "application/*|''",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8|''",
                "application/vnd.kubernetes.protobuf,application/json|''",
                "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json|v1",
                "application/json;as=Table;v=v1beta1;g=meta.k8s.io, application/json|v1beta1",
                "application/json;q=0.5, application/json;as=Table;v=v1;g=meta.k8s.io|v1",
                "application/json;as=Table;v=v9;g=meta.k8s.io,application/json|''",
                "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json|''",
                "APPLICATION/JSON; Stream=watch|''",
            })
    void negotiate_somethingServed_takesTheFirst(String accept, String tableVersion) {
        assertThat(AnswerFormat.negotiate(accept).tableVersion()).isEqualTo(tableVersion);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/yaml",
                "application/vnd.kubernetes.protobuf",
                "application/json;q=0",
                "application/json;q=x",
                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
                "application/json;as=Table;v=v1;g=other"
            })
    void negotiate_nothingServed_isNotAcceptable(String accept) {
        assertThatThrownBy(() -> AnswerFormat.negotiate(accept))
                .isInstanceOfSatisfying(
                        FaceFailure.class, e -> assertThat(e.code()).isEqualTo(406))
                .hasMessageContaining(accept);
    }
}
