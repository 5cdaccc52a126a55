/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Secret;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LegacyTokenRoundTest {

    private static final Duration YEAR = Duration.ofDays(365);
    private static final ObjectName TOKEN = new ObjectName("default", "robot-token-1");
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private final ManualClock clock = new ManualClock(START);
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).build();
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final ResourceClient<Secret> secrets = client.resource(ResourceTypes.SECRETS);
    private final FakeLister<ServiceAccount> cachedAccounts = new FakeLister<>();
    private final FakeLister<Pod> cachedPods = new FakeLister<>();

    @BeforeEach
    void createAccountWithToken() {
        cachedAccounts.with(create(
                ResourceTypes.SERVICE_ACCOUNTS,
                "{'metadata':{'name':'robot','namespace':'default'},'secrets':[{'name':'robot-token-1'}]}"));
        create(
                ResourceTypes.SECRETS,
                "{'metadata':{'name':'robot-token-1','namespace':'default','annotations':"
                        + "{'kubernetes.io/service-account.name':'robot'}},"
                        + "'type':'kubernetes.io/service-account-token'}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private <T extends KubeObject> T create(ResourceType<T> type, String json) {
        return client.resource(type).create(decode(type, json));
    }

    private static <T extends KubeObject> T decode(ResourceType<T> type, String json) {
        return JsonCodec.standard()
                .decode(type, new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    private void round() {
        FakeLister<Secret> cachedSecrets = new FakeLister<>();
        secrets.list("", ListOptions.NONE).items().forEach(cachedSecrets::with);
        new LegacyTokenRound(cachedAccounts, cachedSecrets, cachedPods, client, YEAR).run(clock.instant());
    }

    private void label(String name, String value) {
        secrets.patch(TOKEN, Patch.merge("{\"metadata\":{\"labels\":{\"" + name + "\":\"" + value + "\"}}}"));
    }

    private Map<String, String> labels() {
        return secrets.get(TOKEN).metadata().labels();
    }

    private void assertKept() {
        round();
        assertThat(labels()).doesNotContainKey(LegacyTokenRound.INVALID_SINCE);
    }

    @Test
    void run_unusedForAYear_isMarked_andDeletedAYearLater() {
        clock.advance(YEAR);
        assertKept(); // the server has tracked uses since the end of the first day
        clock.advance(Duration.ofDays(1));

        round();
        assertThat(labels()).containsEntry(LegacyTokenRound.INVALID_SINCE, "2027-01-02");
        clock.advance(YEAR);
        round();
        assertThat(labels()).containsEntry(LegacyTokenRound.INVALID_SINCE, "2027-01-02");
        clock.advance(Duration.ofDays(1));
        round();
        assertThatThrownBy(this::labels)
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.isNotFound()).isTrue());
    }

    @Test
    void run_malformedMark_isReplaced() {
        clock.advance(YEAR.plusDays(2));
        label(LegacyTokenRound.INVALID_SINCE, "long-ago");

        round();

        assertThat(labels()).containsEntry(LegacyTokenRound.INVALID_SINCE, "2027-01-03");
    }

    @Test
    void run_usedInTheYear_orOnAnUnknownDay_isKept() {
        clock.advance(YEAR.plusDays(100));
        label(LegacyTokenRound.LAST_USED, "2026-04-11");
        assertKept();
        label(LegacyTokenRound.LAST_USED, "yesterday");
        assertKept();
        label(LegacyTokenRound.LAST_USED, "2026-04-10");
        round();
        assertThat(labels()).containsKey(LegacyTokenRound.INVALID_SINCE);
    }

    @Test
    void run_madeByAUser_orOfAnotherAccount_isKept() {
        clock.advance(YEAR.plusDays(2));
        ObjectName robot = new ObjectName("default", "robot");
        cachedAccounts.with(decode(
                ResourceTypes.SERVICE_ACCOUNTS, "{'metadata':{'name':'robot','namespace':'default'},'secrets':[]}"));
        assertKept();
        cachedAccounts.remove(robot);
        assertKept();
    }

    @Test
    void run_usedByAPod_isKept() {
        clock.advance(YEAR.plusDays(2));
        cachedPods.with(decode(
                ResourceTypes.PODS,
                "{'metadata':{'name':'p','namespace':'default'},'spec':{'volumes':[{'name':'v','secret':"
                        + "{'secretName':'robot-token-1'}}]}}"));
        assertKept();
    }

    @Test
    void podSecretNames_areFoundEverywhere() {
        Pod pod = decode(ResourceTypes.PODS, """
                {'metadata':{'name':'p'},'spec':{
                 'imagePullSecrets':[{'name':'pull'},{'name':''}],
                 'containers':[{'name':'c','envFrom':[{'secretRef':{'name':'from'}},{'configMapRef':{'name':'no'}}],
                   'env':[{'name':'e','valueFrom':{'secretKeyRef':{'name':'env','key':'k'}}}]}],
                 'initContainers':[{'name':'i','envFrom':[{'secretRef':{'name':'init'}}]}],
                 'ephemeralContainers':[{'name':'d','envFrom':[{'secretRef':{'name':'debug'}}]}],
                 'volumes':[
                   {'name':'1','azureFile':{'secretName':'azure'}},
                   {'name':'2','cephfs':{'secretRef':{'name':'ceph'}}},
                   {'name':'3','projected':{'sources':[{'secret':{'name':'projected'}},{'configMap':{'name':'no'}}]}},
                   {'name':'4','secret':{'secretName':'volume'}},
                   {'name':'5','csi':{'driver':'d','nodePublishSecretRef':{'name':'csi'}}}]}}
                """);

        assertThat(PodSecretNames.of(Set.of(pod)))
                .containsExactlyInAnyOrder(
                        "pull", "from", "env", "init", "debug", "azure", "ceph", "projected", "volume", "csi");
    }
}
