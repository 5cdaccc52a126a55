/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies and patches of custom resources that state another type; answers of kube-apiserver 1.37.2. */
class StatedTypeFidelityTest extends ServerFixture {

    private static final String PINS = "/apis/example.com/v1/namespaces/default/pins";
    private static final String MERGE = "application/merge-patch+json";

    @BeforeEach
    void definePins() {
        requests.post(
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                        "{'metadata':{'name':'pins.example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
                                + "'names':{'plural':'pins','singular':'pin','kind':'Pin','listKind':'PinList'},"
                                + "'versions':[{'name':'v1','served':true,'storage':true,'subresources':{'status':{}},"
                                + "'schema':{'openAPIV3Schema':"
                                + "{'type':'object','properties':{'spec':{'type':'object'}}}}}]}}")
                .ok();
        requests.post(PINS, "{'apiVersion':'example.com/v1','kind':'Pin','metadata':{'name':'a'}}")
                .ok();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'apiVersion':'example.com/v2'}            | 422 | Pin.example.com "a" is invalid: apiVersion: Invalid \
            value: "example.com/v2": must be example.com/v1
            {'apiVersion':'v1'}                        | 422 | Pin "a" is invalid: apiVersion: Invalid value: "v1": \
            must be example.com/v1
            {'apiVersion':'other.com/v1'}              | 422 | Pin.other.com "a" is invalid: apiVersion: Invalid \
            value: "other.com/v1": must be example.com/v1
            {'kind':'Pen'}                             | 422 | Pen.example.com "a" is invalid: kind: Invalid value: \
            "Pen": must be Pin
            {'apiVersion':'v1','kind':'Pen'}           | 422 | Pen "a" is invalid: [kind: Invalid value: "Pen": must \
            be Pin, apiVersion: Invalid value: "v1": must be example.com/v1]
            {'kind':''}                                | 422 | Object 'Kind' is missing in
            {'kind':null}                              | 422 | Object 'Kind' is missing in
            {'apiVersion':'example.com/v1/x'}          | 422 | unexpected GroupVersion string: example.com/v1/x
            {'apiVersion':null}                        | 500 | Internal error occurred: Object 'apiVersion' is missing \
            in 'object has no apiVersion field'
            {'apiVersion':'v1/'}                       | 500 | Object 'apiVersion' is missing in 'object has no \
            apiVersion field'
            {'apiVersion':1}                           | 422 | cannot unmarshal number into Go struct field \
            .apiVersion of type string
            {'apiVersion':'example.com/v1','kind':'Pin'} | 200 | ``
            """)
    void mergePatch_thatStatesAnotherType_isRefused(String patch, int code, String message) {
        Reply reply = requests.send("PATCH", PINS + "/a", MERGE, patch);
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.body().string("message")).contains(message);
    }

    @Test
    void mergePatchOfStatus_thatStatesAnotherType_keepsTheType() {
        Reply reply = requests.send("PATCH", PINS + "/a/status", MERGE, "{'kind':'Pen','apiVersion':'v1'}");
        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.body().string("kind")).isEqualTo("Pin");
        assertThat(reply.body().string("apiVersion")).isEqualTo("example.com/v1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'apiVersion':'','kind':'Pin','metadata':{'name':'b'}}               | the API version in the data () does \
            not match the expected API version (example.com/v1)
            {'kind':'Pin','metadata':{'name':'b'}}                               | the API version in the data () does \
            not match the expected API version (example.com/v1)
            {'kind':'Pen','metadata':{'name':'b'}}                               | the API version in the data () does \
            not match the expected API version (example.com/v1)
            {'apiVersion':'','kind':'','metadata':{'name':'b'}}                  | Object 'Kind' is missing in
            {'apiVersion':'example.com/v2','kind':'Pin','metadata':{'name':'b'}} | the API version in the data \
            (example.com/v2) does not match the expected API version (example.com/v1)
            """)
    void create_thatStatesNoTypeOrAnotherVersion_isRefused(String body, String message) {
        Reply reply = requests.post(PINS, body);
        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).contains(message);
    }
}
