/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Secret;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.WorkloadSimulation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Bootstrap tokens that come, change and expire, in a world that goes wrong; see {@link WorkloadSimulation}. */
final class BootstrapSimulation extends WorkloadSimulation<ConfigMap> {

    private static final String SIGNATURE = "jws-kubeconfig-";
    private static final String TOKEN = "bootstrap.kubernetes.io/token";
    private static final Instant NEVER = Instant.parse("2036-01-01T00:00:00Z");

    private final ResourceClient<Secret> secrets;

    /** The secrets before the last write, by UID. */
    private final Map<String, Secret> before = new HashMap<>();

    /** Every signature that some token has made of some content. */
    private final Map<String, TreeSet<String>> known = new TreeMap<>();

    private String content = "";

    BootstrapSimulation(long seed) {
        super(seed, ResourceTypes.CONFIG_MAPS, BootstrapSignerController.CLUSTER_INFO);
        secrets = client.resource(ResourceTypes.SECRETS);
        create();
        createToken();
        lead();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<ConfigMap> configMaps = new LaggingCache<>();
        LaggingCache<Secret> cached = new LaggingCache<>();
        BootstrapSignerController.Sync signer = new BootstrapSignerController.Sync(
                configMaps, cached, process.client().resource(ResourceTypes.CONFIG_MAPS), clock);
        TokenCleanerController.Sync cleaner = new TokenCleanerController.Sync(
                cached, process.client().resource(ResourceTypes.SECRETS), process.queue, clock);
        process.owners(ResourceTypes.CONFIG_MAPS, configMaps);
        process.owners(ResourceTypes.SECRETS, cached);
        return task -> {
            if (task.equals(key)) {
                signer.sign(task);
            } else {
                process.queue.add(key);
                cleaner.sync(task);
            }
        };
    }

    @Override
    protected void create() {
        content = "content " + random.nextInt(3);
        owners.create(ConfigMap.of(
                ObjectMeta.named(key.namespace(), key.name()), Map.of("kubeconfig", content, "other", "stays")));
    }

    private void createToken() {
        String id = "token" + random.nextInt(4);
        ObjectName name = new ObjectName("kube-system", "bootstrap-token-" + id);
        if (tokens().stream().anyMatch(secret -> secret.objectName().equals(name))) {
            note("replace " + id);
            secrets.delete(name, DeleteOptions.DEFAULT);
        }
        Instant end = random.nextInt(3) == 0 ? NEVER : clock.instant().plusSeconds(random.nextInt(1200));
        boolean signs = random.nextInt(4) > 0;
        note("create " + id + " until " + end);
        Map<String, String> data = Map.of(
                "token-id",
                id,
                "token-secret",
                "secret" + random.nextInt(3),
                "usage-bootstrap-signing",
                String.valueOf(signs),
                "expiration",
                end.toString());
        Secret secret = Secret.of(
                ObjectMeta.named(name.namespace(), name.name()), random.nextInt(6) == 0 ? "Opaque" : TOKEN, Map.of());
        for (Map.Entry<String, String> entry : data.entrySet()) {
            secret = secret.withBytes(entry.getKey(), entry.getValue().getBytes(StandardCharsets.UTF_8));
        }
        secrets.create(secret);
        remember();
    }

    private List<Secret> tokens() {
        return secrets.list("", ListOptions.NONE).items();
    }

    private void remember() {
        before.clear();
        tokens().forEach(secret -> before.put(secret.metadata().uid(), secret));
        // The signer can use a token that is gone, until it sees that.
        for (int number = 0; number < 3; number++) {
            signatures("content " + number, Instant.MIN)
                    .forEach((name, signature) ->
                            known.computeIfAbsent(name, n -> new TreeSet<>()).add(signature));
        }
    }

    /** Returns the signatures of a content by the tokens that have not expired at this time. */
    private Map<String, String> signatures(String content, Instant now) {
        Map<String, String> signed = new TreeMap<>();
        for (Secret secret : tokens()) {
            BootstrapToken token = secret.type().equals(TOKEN) ? BootstrapToken.ofSigner(secret, now) : null;
            if (token != null) {
                String name = SIGNATURE + token.id();
                signed.put(
                        name,
                        Objects.requireNonNull(ClusterInfoSignatures.signed(
                                        Map.of(ClusterInfoSignatures.CONTENT, content), List.of(token))
                                .get(name)));
            }
        }
        return signed;
    }

    @Override
    protected void somebodyActs() {
        int choice = random.nextInt(6);
        List<Secret> all = tokens();
        if (choice < 3 || all.isEmpty()) {
            createToken();
        } else if (choice == 3) {
            Secret secret = all.get(random.nextInt(all.size()));
            note("delete " + secret.objectName());
            secrets.delete(secret.objectName(), DeleteOptions.DEFAULT);
        } else {
            content = "content " + random.nextInt(3);
            note(content);
            owners.edit(key, map -> map.withData(with(map.data(), content)));
        }
        remember();
        worldChanged();
    }

    private static Map<String, String> with(Map<String, String> data, String content) {
        Map<String, String> changed = new TreeMap<>(data);
        changed.put("kubeconfig", content);
        return changed;
    }

    @Override
    protected void race() {
        somebodyActs();
    }

    @Override
    protected void replace() {
        note("cluster-info is replaced");
        owners.delete(key, DeleteOptions.DEFAULT);
        create();
        remember();
        worldChanged();
    }

    @Override
    protected void collectGarbage() {}

    @Override
    protected String node(Pod pod) {
        throw new IllegalStateException("there are no pods");
    }

    /**
     * A write deletes expired tokens only, and changes signatures only, to those that some token makes of this content.
     */
    @Override
    protected void check(ApiRequest write) {
        List<String> left =
                tokens().stream().map(secret -> secret.metadata().uid()).toList();
        before.forEach((uid, secret) -> assertThat(left.contains(uid)
                        || (secret.type().equals(TOKEN)
                                && !BootstrapToken.expiration(secret).isAfter(clock.instant())))
                .as("%s is deleted, after %s", secret.objectName(), history)
                .isTrue());
        Map<String, String> data = owner().data();
        assertThat(data)
                .as("data, after %s", history)
                .containsEntry("kubeconfig", content)
                .containsEntry("other", "stays");
        if (write.method().equals("PUT")) {
            data.forEach((name, value) -> assertThat(!name.startsWith(SIGNATURE)
                            || known.getOrDefault(name, new TreeSet<>()).contains(value))
                    .as("%s, after %s", name, history)
                    .isTrue());
        }
        remember();
    }

    @Override
    protected void checkSettled() {
        Instant lastWork = clock.instant().minusSeconds(60); // a minute has passed since
        Map<String, String> data = new TreeMap<>(owner().data());
        data.keySet().removeIf(name -> !name.startsWith(SIGNATURE));
        assertThat(data)
                .as("signatures, after %s", history)
                .containsExactlyInAnyOrderEntriesOf(signatures(content, lastWork));
        assertThat(tokens())
                .as("tokens, after %s", history)
                .allMatch(secret -> !secret.type().equals(TOKEN)
                        || BootstrapToken.expiration(secret).isAfter(lastWork));
    }
}
