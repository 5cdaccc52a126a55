/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatusBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCodecTest {

    private final JsonCodec codec = JsonCodec.standard();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Pod pod(String json) {
        return codec.decode(ResourceTypes.PODS, new ByteArrayInputStream(bytes(json)));
    }

    private String encoded(Pod pod) {
        return new String(codec.encode(ResourceTypes.PODS, pod), StandardCharsets.UTF_8);
    }

    @Test
    void decode_knownMembers_fillComponents() {
        Pod pod = pod("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","generation":3,
                 "creationTimestamp":"2026-01-31T08:15:00Z","labels":{"z":"1","a":"2"}},
                 "spec":{"nodeName":"node","terminationGracePeriodSeconds":30,
                   "containers":[{"name":"c","ports":[{"containerPort":80}]}]},
                 "status":{"phase":"Running","podIPs":[{"ip":"10.0.0.1"},{"ip":"::1"}]}}""");

        assertThat(pod.metadata().name()).isEqualTo("a");
        assertThat(pod.metadata().generation()).isEqualTo(3);
        assertThat(pod.metadata().creationTimestamp()).hasToString("2026-01-31T08:15:00Z");
        assertThat(pod.metadata().labels().keySet()).containsExactly("z", "a");
        assertThat(pod.spec().nodeName()).isEqualTo("node");
        assertThat(pod.spec().terminationGracePeriodSeconds()).isEqualTo(30);
        assertThat(pod.spec().containers().get(0).ports().get(0).containerPort())
                .isEqualTo(80);
        assertThat(pod.status().podIPs()).extracting(ip -> ip.ip()).containsExactly("10.0.0.1", "::1");
        assertThat(pod.unknownFields()).isSameAs(UnknownFields.NONE);
    }

    private ObjectIdentity identity(String json) {
        return codec.decodeIdentity(bytes(json));
    }

    @Test
    void decodeIdentity_ofAnyKind_readsNothingElse() {
        ObjectIdentity whole = identity("""
                {"kind":"Pod","metadata":{"name":"a","labels":{"uid":"x"},"resourceVersion":"7","namespace":"n",\
                "uid":"u"},"spec":{"containers":7},"metadata2":{}}""");
        ObjectIdentity partial = identity("""
                {"metadata":{"uid":"u","n\\u0061me":"a","namespace":"n","generation":1,"resourceVersion":"7"},\
                "kind":"PartialObjectMetadata"}""");
        ObjectIdentity clusterWide = identity("{\"metadata\":{\"name\":\"a\"}}");

        assertThat(whole).isEqualTo(new ObjectIdentity(new ObjectName("n", "a"), "u", "7"));
        assertThat(partial).isEqualTo(whole);
        assertThat(clusterWide).isEqualTo(new ObjectIdentity(new ObjectName("", "a"), "", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "7",
                "",
                "{\"metadata\":{\"name\":\"a\"}",
                "{\"metadata\":{}} x",
                "{\"metadata\":3}",
                "{\"metadata\":{\"uid\":3}}"
            })
    void decodeIdentity_withoutMetadata_orNoWholeDocument_isRefused(String json) {
        assertThatThrownBy(() -> identity(json)).isInstanceOf(DecodeException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":null,\"spec\":{},\"status\":null}",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"\",\"creationTimestamp\":null,"
                        + "\"labels\":{},"
                        + "\"finalizers\":[]}}",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"spec\":{\"containers\":[{}]},\"a\":9007199254740993,"
                        + "\"b\":1e400,"
                        + "\"c\":1.10,\"d\":[{\"x\":null}],\"\\u0065\":\"\\u00e4\"}",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"status\":{\"conditions\":[{\"type\":\"Ready\","
                        + "\"lastProbeTime\":null}],\"containerStatuses\":[{\"ready\":false,\"restartCount\":0,"
                        + "\"x\":{}}]}}",
            })
    void encode_afterDecode_isTheInput(String json) {
        assertThat(encoded(pod(json))).isEqualTo(json);
    }

    @Test
    void encode_afterChange_keepsUnknownMembersAndDropsStaleAbsences() {
        Pod pod = pod("{\"metadata\":{\"name\":\"a\"},\"status\":{\"future\":{\"deep\":[1.10]},\"phase\":\"\"}}");

        Pod changed = pod.withStatus(
                PodStatusBuilder.builder(pod.status()).phase("Running").build());

        assertThat(encoded(changed))
                .isEqualTo("{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},"
                        + "\"status\":{\"phase\":\"Running\",\"future\":{\"deep\":[1.10]}}}");
    }

    @Test
    void decode_zeroTime_isNull() {
        String json =
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"creationTimestamp\":\"0001-01-01T00:00:00Z\"},"
                        + "\"status\":{\"startTime\":\"0001-01-01T02:00:00.0+02:00\"}}";
        Pod pod = JsonCodec.standard().decode(ResourceTypes.PODS, new ByteArrayInputStream(bytes(json)));

        assertThat(pod.metadata().creationTimestamp()).isNull();
        assertThat(pod.status().startTime()).isNull();
        assertThat(encoded(pod))
                .isEqualTo("{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"creationTimestamp\":null},"
                        + "\"status\":{\"startTime\":null}}");
    }

    @Test
    void encode_newObject_leavesAbsentOut() {
        assertThat(encoded(new Pod(ObjectMeta.named("n", "a"), null, null, null)))
                .isEqualTo(
                        "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"}}");
    }

    @Test
    void decodeList_streams_elementByElement() {
        StringBuilder json =
                new StringBuilder("{\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"c\"},\"items\":[");
        for (int i = 0; i < 1000; i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"metadata\":{\"name\":\"pod-")
                    .append(i)
                    .append("\",\"labels\":{\"app\":\"web\"}},\"x\":\"")
                    .append("y".repeat(i))
                    .append("\"}");
        }
        json.append("],\"kind\":\"PodList\"}");

        KubeList<Pod> list = codec.decodeList(ResourceTypes.PODS, new TrickleStream(bytes(json.toString())));

        assertThat(list.metadata().resourceVersion()).isEqualTo("7");
        assertThat(list.metadata().continueToken()).isEqualTo("c");
        assertThat(list.items()).hasSize(1000);
        assertThat(list.items().get(999).metadata().name()).isEqualTo("pod-999");
        assertThat(list.items().get(999).unknownFields().length()).isEqualTo(999 + 6);
        assertThat(list.items().get(0).metadata().labels().get("app"))
                .isSameAs(list.items().get(999).metadata().labels().get("app"));
    }

    @Test
    void decodeList_nullItems_isEmpty() {
        KubeList<Pod> list = codec.decodeList(
                ResourceTypes.PODS, new ByteArrayInputStream(bytes("{\"kind\":\"PodList\",\"items\":null}")));

        assertThat(list.items()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}",
                "{\"object\":{\"metadata\":{\"name\":\"a\"}},\"type\":\"MODIFIED\"}\n",
                " {\"new\":[1],\"object\":{\"metadata\":{\"name\":\"a\"}} , \"type\" : \"MODIFIED\",\"more\":{}}",
            })
    void decodeEvent_membersInAnyOrder(String frame) {
        WatchEvent<Pod> event = codec.decodeEvent(ResourceTypes.PODS, bytes(frame));

        assertThat(event)
                .isInstanceOfSatisfying(
                        WatchEvent.Modified.class,
                        modified -> assertThat(((KubeObject) modified.object())
                                        .metadata()
                                        .name())
                                .isEqualTo("a"));
    }

    @Test
    void decodeEvent_bookmark_isMetadataOnly() {
        WatchEvent<Pod> event = codec.decodeEvent(
                ResourceTypes.PODS,
                bytes("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{"
                        + "\"resourceVersion\":\"12\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}},"
                        + "\"spec\":{\"containers\":null},\"status\":{}}}"));

        assertThat(event).isInstanceOfSatisfying(WatchEvent.Bookmark.class, bookmark -> {
            assertThat(bookmark.metadata().resourceVersion()).isEqualTo("12");
            assertThat(bookmark.endsInitialEvents()).isTrue();
        });
    }

    @Test
    void decodeEvent_error_isFailedWithStatus() {
        WatchEvent<Pod> event = codec.decodeEvent(
                ResourceTypes.PODS,
                bytes("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                        + "\"status\":\"Failure\",\"message\":\"too old\",\"reason\":\"Expired\",\"code\":410}}"));

        assertThat(event).isInstanceOfSatisfying(WatchEvent.Failed.class, failed -> {
            assertThat(failed.status().code()).isEqualTo(410);
            assertThat(failed.status().reason()).isEqualTo("Expired");
        });
    }

    @Test
    void decodeStatus_aProxysPage_isQuoted() {
        Status status = codec.decodeStatus(503, bytes("<html>overloaded</html>"));

        assertThat(status.code()).isEqualTo(503);
        assertThat(status.reason()).isEqualTo("ServiceUnavailable");
        assertThat(status.message()).contains("503").contains("<html>overloaded</html>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'error':'x'}",
                "{'kind':'Status'}",
                "{'kind':'Status','status':'Success','code':200}",
                "{'status':'Failure','reason':'NotFound','message':'no','code':409}",
                "{'kind':'Problem','status':'Failure','reason':'NotFound','code':409}",
                "{'kind':'Status','apiVersion':'example.com/v1','status':'Failure','reason':'NotFound','code':409}",
                "{'kind':7,'status':'Failure','reason':'NotFound'}",
                "['x']",
                "null",
                "7",
            })
    void decodeStatus_jsonThatIsNoStatus_theCodeStays_andTheBodyIsQuoted(String text) {
        // RR-02
        String body = text.replace('\'', '"');
        Status status = codec.decodeStatus(409, bytes(body));

        assertThat(status.code()).isEqualTo(409);
        assertThat(status.reason()).isEqualTo("Conflict");
        assertThat(status.message()).contains("409").contains(body);
        assertThat(status.details().causes())
                .extracting(Status.Cause::reason)
                .containsExactly(StatusReason.UNEXPECTED_SERVER_RESPONSE);
    }

    @ParameterizedTest
    @CsvSource({
        "400, BadRequest",
        "401, Unauthorized",
        "403, Forbidden",
        "404, NotFound",
        "405, MethodNotAllowed",
        "406, NotAcceptable",
        "409, Conflict",
        "410, ''",
        "415, UnsupportedMediaType",
        "418, ''",
        "422, Invalid",
        "429, TooManyRequests",
        "500, InternalError",
        "502, InternalError",
        "503, ServiceUnavailable",
        "504, Timeout",
    })
    void decodeStatus_noStatus_theReasonIsTheCodes(int code, String reason) {
        // RR-01
        assertThat(codec.decodeStatus(code, bytes("{\"error\":\"x\"}")).reason())
                .isEqualTo(reason);
    }

    @Test
    void decodeStatus_ofAnotherCode_isBelieved() {
        // RR-02
        Status status = codec.decodeStatus(
                502, bytes("{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404}"));

        assertThat(status.code()).isEqualTo(404);
        assertThat(status.reason()).isEqualTo("NotFound");
    }

    @Test
    void decodeStatus_withoutCode_takesTheResponses() {
        Status status = codec.decodeStatus(
                404, bytes("{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"message\":\"no\"}"));

        assertThat(status.code()).isEqualTo(404);
        assertThat(status.message()).isEqualTo("no");
    }

    @Test
    void decode_brokenStream_isATransportException() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("connection reset");
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                throw new IOException("connection reset");
            }
        };

        assertThatThrownBy(() -> codec.decode(ResourceTypes.PODS, broken))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("connection reset");
    }

    @Test
    void decode_afterAFailure_worksAgain() {
        assertThatThrownBy(() -> pod("{\"metadata\":{\"labels\":[]}}")).isInstanceOf(DecodeException.class);

        assertThat(pod("{\"metadata\":{\"name\":\"a\"}}").metadata().name()).isEqualTo("a");
    }
}
