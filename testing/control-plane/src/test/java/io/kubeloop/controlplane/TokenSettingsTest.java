/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.kinds.TokenSettings;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.controller.serviceaccount.ServiceAccountTokenController;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tokens of given keys: those of the API, those in secrets, and the documents by which others verify them. */
@Timeout(60)
@SuppressWarnings("try") // A controller works by being there: the body need not name it.
class TokenSettingsTest {

    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";
    private static final KeyPair RSA = keys("RSA", 2048);
    private static final KeyPair ELLIPTIC = keys("EC", 384);

    private static KeyPair keys(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TokenSettings settings(KeyPair signing, PublicKey... others) {
        return new TokenSettings(
                signing, List.of(others), List.of("https://issuer.example", "https://old.example"), List.of("api"), "");
    }

    private static JsonObject review(Requests requests, String token, String audiences) {
        return requests.post(
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        "{'spec':{'token':'" + token + "','audiences':[" + audiences + "]}}")
                .ok()
                .body()
                .object("status");
    }

    private static String issue(Requests requests) {
        return requests.post(ACCOUNTS + "/default/token", "{'spec':{}}")
                .ok()
                .body()
                .string("status", "token");
    }

    private static JsonObject part(String token, int index) {
        return JsonObject.parse(Base64.getUrlDecoder().decode(token.split("\\.", -1)[index]));
    }

    private static JsonObject get(ControlPlane plane, String path, String type) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) plane.uri().resolve(path).toURL().openConnection();
        try (InputStream in = connection.getInputStream()) {
            assertThat(connection.getContentType()).isEqualTo(type);
            assertThat(connection.getHeaderField("Cache-Control")).isEqualTo("public, max-age=3600");
            return JsonObject.parse(in.readAllBytes());
        }
    }

    @Test
    void tokens_ofGivenKeys_areVerifiedByTheDocumentsOfTheServer() throws Exception {
        try (ControlPlane plane = ControlPlane.builder()
                .http(HttpApiServer.Config.DEFAULT)
                .tokens(settings(RSA, ELLIPTIC.getPublic()))
                .start()) {
            String token = issue(new Requests(plane.transport()));
            JsonObject configuration = get(plane, "/.well-known/openid-configuration", "application/json");
            JsonObject keys = get(plane, "/openid/v1/jwks", "application/jwk-set+json");

            assertThat(part(token, 1).string("iss")).isEqualTo("https://issuer.example");
            assertThat(part(token, 1).array("aud").strings()).containsExactly("api");
            assertThat(configuration.string("issuer")).isEqualTo("https://issuer.example");
            assertThat(configuration.string("jwks_uri")).isEqualTo(plane.uri() + "/openid/v1/jwks");
            assertThat(configuration.array("response_types_supported").strings())
                    .containsExactly("id_token");
            assertThat(configuration.array("subject_types_supported").strings()).containsExactly("public");
            assertThat(configuration
                            .array("id_token_signing_alg_values_supported")
                            .strings())
                    .containsExactly("ES384", "RS256");
            List<JsonObject> found = keys.array("keys").objects().toList();
            assertThat(found).extracting(key -> key.string("kty")).containsExactly("RSA", "EC");
            assertThat(found.get(1).string("crv")).isEqualTo("P-384");
            assertThat(Base64.getUrlDecoder().decode(found.get(1).string("x"))).hasSize(48);
            assertThat(part(token, 0).string("kid")).isEqualTo(found.get(0).string("kid"));
            RSAPublicKey published = (RSAPublicKey) KeyFactory.getInstance("RSA")
                    .generatePublic(new RSAPublicKeySpec(
                            number(found.get(0).string("n")),
                            number(found.get(0).string("e"))));
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initVerify(published);
            signature.update(token.substring(0, token.lastIndexOf('.')).getBytes(StandardCharsets.US_ASCII));
            assertThat(signature.verify(Base64.getUrlDecoder().decode(token.substring(token.lastIndexOf('.') + 1))))
                    .isTrue();
        }
    }

    private static BigInteger number(String encoded) {
        return new BigInteger(1, Base64.getUrlDecoder().decode(encoded));
    }

    @Test
    void tokens_ofAnotherServer_areAcceptedByItsKeyAlone() {
        try (ControlPlane one =
                        ControlPlane.builder().tokens(settings(ELLIPTIC)).start();
                ControlPlane other =
                        ControlPlane.builder().tokens(settings(RSA)).start()) {
            Requests requests = new Requests(one.transport());
            String own = issue(requests);
            assertThat(review(requests, own, "").array("audiences").strings()).containsExactly("api");
            assertThat(review(requests, own, "'else'").has("authenticated")).isFalse();
            assertThat(review(requests, issue(new Requests(other.transport())), "")
                            .string("error"))
                    .isEqualTo("invalid bearer token");
        }
    }

    @Test
    void documents_issuerIsNoAddress_areAbsent() throws IOException {
        TokenSettings text = new TokenSettings(null, List.of(), List.of("issuer"), List.of(), "");
        try (ControlPlane plane = ControlPlane.builder()
                .http(HttpApiServer.Config.DEFAULT)
                .tokens(text)
                .start()) {
            HttpURLConnection connection = (HttpURLConnection)
                    plane.uri().resolve("/openid/v1/jwks").toURL().openConnection();
            assertThat(connection.getResponseCode()).isEqualTo(404);
            connection.disconnect();
        }
    }

    @Test
    void tokenOfASecret_isVerified_whileTheSecretHasIt() {
        try (ControlPlane plane = ControlPlane.builder()
                        .tokens(settings(ELLIPTIC, RSA.getPublic()))
                        .start();
                ControllerRunner ignored = ControllerRunner.builder(
                                KubeClient.of(plane.transport(), JsonCodec.standard()))
                        .controller(context -> ServiceAccountTokenController.of(context, RSA, ""))
                        .start()) {
            Requests requests = new Requests(plane.transport());
            requests.post(
                            SECRETS,
                            "{'metadata':{'name':'s','annotations':{'kubernetes.io/service-account.name':'default'}},"
                                    + "'type':'kubernetes.io/service-account-token'}")
                    .ok();
            await().untilAsserted(() ->
                    assertThat(secret(requests).string("data", "token")).isNotEmpty());
            String token = new String(
                    Base64.getDecoder().decode(secret(requests).string("data", "token")), StandardCharsets.US_ASCII);

            JsonObject status = review(requests, token, "");
            assertThat(status.string("user", "username")).isEqualTo("system:serviceaccount:default:default");
            assertThat(status.array("audiences").strings()).containsExactly("api");
            assertThat(plane.server().authenticate(token)).isNotNull();
            assertThat(LocalDate.parse(
                            secret(requests).string("metadata", "labels", "kubernetes.io/legacy-token-last-used")))
                    .isBetween(LocalDate.now(ZoneOffset.UTC).minusDays(1), LocalDate.now(ZoneOffset.UTC));

            requests.put(
                            SECRETS + "/s",
                            secret(requests)
                                    .with(
                                            List.of("metadata", "labels", "kubernetes.io/legacy-token-invalid-since"),
                                            "2026-01-01"))
                    .ok();
            assertThat(review(requests, token, "").string("error")).isEqualTo("invalid bearer token");
            requests.delete(SECRETS + "/s").ok();
            assertThat(plane.server().authenticate(token)).isNull();
        }
    }

    private static JsonObject secret(Requests requests) {
        return requests.get(SECRETS + "/s").ok().body();
    }

    @Test
    void rootCa_isInEveryNamespace() {
        try (ControlPlane plane = ControlPlane.builder().rootCa("PEM").start()) {
            Requests requests = new Requests(plane.transport());
            await().untilAsserted(
                            () -> assertThat(requests.get("/api/v1/namespaces/default/configmaps/kube-root-ca.crt")
                                            .body()
                                            .string("data", "ca.crt"))
                                    .isEqualTo("PEM"));
        }
    }

    @Test
    void settings_wrongValues_nameTheProblem() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TokenSettings(null, List.of(), List.of(), List.of(), ""))
                .withMessageContaining("issuers must be given");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TokenSettings(null, List.of(), List.of("a", "a"), List.of(), ""))
                .withMessageContaining("different");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TokenSettings(null, List.of(), List.of("a"), List.of(), "http://x"))
                .withMessageContaining("scheme https");
    }
}
