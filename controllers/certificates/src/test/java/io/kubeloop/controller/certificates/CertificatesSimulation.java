/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.api.certificates.CertificateSigningRequestCondition;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.WorkloadSimulation;
import java.io.ByteArrayInputStream;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Requests for certificates that are approved, denied, signed and cleaned, in a world that goes wrong; see {@link
 * WorkloadSimulation}.
 */
final class CertificatesSimulation extends WorkloadSimulation<CertificateSigningRequest> {

    private static final KeyPair KEYS = TestAuthority.elliptic();
    private static final CertificateAuthority AUTHORITY = TestAuthority.authority(KEYS);
    private static final Duration LONGEST = Duration.ofMinutes(30);
    private static final List<BuiltInSigner> SIGNERS =
            List.of(BuiltInSigner.API_SERVER_CLIENT, BuiltInSigner.KUBELET_CLIENT);

    /** The requests that people make; the key is the subject. */
    private static final Map<String, String> PEM = Map.of(
            "CN=jane", TestAuthority.base64(TestAuthority.request(KEYS, "CN=jane")),
            "CN=system:node:n,O=system:nodes",
                    TestAuthority.base64(TestAuthority.request(KEYS, "O=system:nodes,CN=system:node:n")));

    private static final String APPROVING = "approving";
    private static final String SIGNING = "signing";
    private static final ObjectName CLEANING = new ObjectName("cleaning", "round");

    /** The requests before the last write, and each certificate, by UID. */
    private final Map<String, CertificateSigningRequest> last = new HashMap<>();

    private final Map<String, String> issued = new HashMap<>();

    CertificatesSimulation(long seed) {
        super(seed, ResourceTypes.CERTIFICATE_SIGNING_REQUESTS, new ObjectName("", "r0"));
        create();
        lead();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<CertificateSigningRequest> cached = new LaggingCache<>();
        ResourceClient<CertificateSigningRequest> client =
                process.client().resource(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS);
        CertificateApprovingController.Sync approving = CertificateApprovingController.Sync.of(process.client());
        CertificateSigningController.Sync signing = new CertificateSigningController.Sync(client, clock, LONGEST);
        CertificateCleanerController.Round cleaning = new CertificateCleanerController.Round(cached, client, clock);
        process.owners(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS, cached);
        process.queue.add(CLEANING);
        return task -> {
            CertificateSigningRequest request = cached.get(new ObjectName("", task.name()));
            if (task.equals(CLEANING)) {
                cleaning.deleteOldRequests();
                process.queue.addAfter(CLEANING, Duration.ofHours(1));
            } else if (task.namespace().isEmpty()) {
                process.queue.add(new ObjectName(APPROVING, task.name()));
                process.queue.add(new ObjectName(SIGNING, task.name()));
            } else if (request != null && request.status().certificate().isEmpty()) {
                if (task.namespace().equals(APPROVING)) {
                    approving.handle(request);
                } else {
                    SIGNERS.forEach(signer -> signing.handle(request, signer, AUTHORITY));
                }
            }
        };
    }

    @Override
    protected void create() {
        create("r" + random.nextInt(4));
    }

    private void create(String name) {
        boolean isNode = random.nextBoolean();
        String subject = isNode ? "CN=system:node:n,O=system:nodes" : "CN=jane";
        BuiltInSigner signer = isNode ? BuiltInSigner.KUBELET_CLIENT : BuiltInSigner.API_SERVER_CLIENT;
        String usage = random.nextInt(4) == 0 ? "server auth" : "client auth";
        note("create " + name + " " + subject + " " + usage);
        tolerant(() -> create(ResourceTypes.CERTIFICATE_SIGNING_REQUESTS, """
                {"metadata":{"name":"%s"},"spec":{"request":"%s","signerName":"%s","usages":["digital signature","%s"]
                 %s}}""".formatted(
                        name,
                        PEM.get(subject),
                        signer.signerName(),
                        usage,
                        random.nextBoolean() ? ",\"expirationSeconds\":600" : "")));
        worldKnown();
    }

    private void tolerant(Runnable request) {
        try {
            request.run();
        } catch (ApiException e) {
            note("refused: " + e.status().message());
        }
    }

    private List<CertificateSigningRequest> requests() {
        return owners.list("", ListOptions.NONE).items();
    }

    private void worldKnown() {
        last.clear();
        requests().forEach(request -> last.put(request.metadata().uid(), request));
        SimulatedProcess current = leader;
        if (current != null) {
            worldChanged();
        }
    }

    @Override
    protected void somebodyActs() {
        act(random.nextInt(8));
    }

    private void act(int choice) {
        List<CertificateSigningRequest> all = requests();
        if (all.isEmpty() || choice < 3) {
            create();
            return;
        }
        CertificateSigningRequest request = all.get(random.nextInt(all.size()));
        if (choice < 6) {
            String type = random.nextInt(3) == 0 ? Approval.DENIED : Approval.APPROVED;
            note(request.metadata().name() + " is " + type);
            tolerant(() -> owners.updateSubresource(
                    request.withStatus(
                            request.status().plus(CertificateSigningRequestCondition.of(type, "Somebody", "", null))),
                    "approval"));
        } else if (choice == 6) {
            note("delete " + request.metadata().name());
            tolerant(() -> owners.delete(request.objectName(), DeleteOptions.DEFAULT));
        } else {
            note("hours pass");
            clock.advance(Duration.ofHours(random.nextInt(13)));
        }
        worldKnown();
    }

    /** Longer than in other simulations: a deletion that fails is tried again after an hour. */
    @Override
    protected void pass(Duration duration) {
        super.pass(duration.multipliedBy(3));
    }

    @Override
    protected void race() {
        act(random.nextInt(7)); // time does not pass, or the last round would not see what became old
    }

    @Override
    protected void replace() {
        requests().stream().findAny().ifPresent(request -> {
            note("another request replaces " + request.metadata().name());
            owners.delete(request.objectName(), DeleteOptions.DEFAULT);
            create(request.metadata().name());
        });
    }

    @Override
    protected void collectGarbage() {}

    @Override
    protected String node(Pod pod) {
        throw new IllegalStateException("there are no pods");
    }

    /** A write approves kubelets only, issues what is approved, once, and deletes what is old. */
    @Override
    protected void check(ApiRequest write) {
        Map<String, CertificateSigningRequest> now = new HashMap<>();
        requests().forEach(request -> now.put(request.metadata().uid(), request));
        last.forEach((uid, before) -> {
            CertificateSigningRequest after = now.get(uid);
            if (after == null) {
                assertThat(isOld(before, Duration.ZERO))
                        .as("%s is deleted, after %s", before, history)
                        .isTrue();
            } else if (!Approval.has(before, Approval.APPROVED) && Approval.has(after, Approval.APPROVED)) {
                assertThat(isOfKubelet(after))
                        .as("%s is approved, after %s", after, history)
                        .isTrue();
            }
        });
        now.values().forEach(this::checkCertificate);
        last.clear();
        last.putAll(now);
    }

    private void checkCertificate(CertificateSigningRequest request) {
        String certificate = request.status().certificate();
        String before = issued.put(request.metadata().uid(), certificate);
        if (before != null && !before.isEmpty()) {
            assertThat(certificate)
                    .as("a second certificate, after %s", history)
                    .isEqualTo(before);
        } else if (!certificate.isEmpty()) {
            assertThat(Approval.isToBeSigned(request) && hasGoodUsage(request))
                    .as("%s is signed, after %s", request, history)
                    .isTrue();
            X509Certificate parsed = parse(certificate);
            String subject = isNode(request) ? "CN=system:node:n,O=system:nodes" : "CN=jane";
            assertThat(parsed.getSubjectX500Principal().getName()).isEqualTo(subject);
            assertThat(parsed.getNotAfter().toInstant())
                    .isBeforeOrEqualTo(clock.instant().plus(LONGEST));
        }
    }

    private static X509Certificate parse(String certificate) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(
                            new ByteArrayInputStream(Base64.getDecoder().decode(certificate)));
        } catch (CertificateException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isNode(CertificateSigningRequest request) {
        return request.spec().signerName().equals(BuiltInSigner.KUBELET_CLIENT.signerName());
    }

    private static boolean hasGoodUsage(CertificateSigningRequest request) {
        return request.spec().usages().contains("client auth");
    }

    private static boolean isOfKubelet(CertificateSigningRequest request) {
        return isNode(request) && hasGoodUsage(request);
    }

    /**
     * Returns whether the request has been old enough to go for this time; counted in another way than the cleaner
     * does.
     */
    private boolean isOld(CertificateSigningRequest request, Duration since) {
        Instant end = clock.instant().minus(since);
        boolean isIssued = !request.status().certificate().isEmpty();
        boolean isExpired = isIssued
                && end.isAfter(
                        parse(request.status().certificate()).getNotAfter().toInstant());
        return isExpired
                || request.status().conditions().stream().anyMatch(condition -> {
                    boolean waits = condition.type().equals(Approval.APPROVED) && !isIssued;
                    return condition.lastUpdateTime().instant().isBefore(end.minus(Duration.ofHours(waits ? 24 : 1)));
                })
                || (request.status().conditions().isEmpty()
                        && request.metadata().creationTimestamp().instant().isBefore(end.minus(Duration.ofHours(24))));
    }

    @Override
    protected void checkSettled() {
        for (CertificateSigningRequest request : requests()) {
            assertThat(Approval.isToBeSigned(request)
                            && request.status().certificate().isEmpty())
                    .as("%s is not signed, after %s", request, history)
                    .isFalse();
            boolean isDecided = Approval.has(request, Approval.APPROVED) || Approval.has(request, Approval.DENIED);
            assertThat(isDecided || !isOfKubelet(request))
                    .as("%s waits, after %s", request, history)
                    .isTrue();
            assertThat(isOld(request, Duration.ofHours(2)))
                    .as("%s is left, after %s", request, history)
                    .isFalse();
        }
    }
}
