/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The trust anchors and the names of cluster trust bundles. */
class TrustBundleRulesTest {

    private static final String NO_ANCHOR =
            "spec.trustBundle: Invalid value: \"<value omitted>\": at least one trust anchor must be provided";

    /** The bundle of the recorded vectors, which has one authority. */
    private final JsonObject bundle = recorded();

    private static JsonObject recorded() {
        String file = "/io/kubeloop/apiserver/kinds/strategy/certificates.k8s.io_v1_clustertrustbundles.json";
        try (InputStream in = Objects.requireNonNull(TrustBundleRulesTest.class.getResourceAsStream(file))) {
            return JsonObject.parse(in.readAllBytes()).object("minimal", "sent");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String errors(JsonObject object) {
        FieldErrors errors = new FieldErrors();
        TrustBundleRules.bundle(FieldCursor.of(object, errors));
        return errors.isEmpty() ? "" : errors.message();
    }

    private static JsonObject with(JsonObject bundle, String field, String value) {
        return bundle.with("spec", bundle.object("spec").with(field, value));
    }

    private JsonObject trusting(String text) {
        return with(bundle, "trustBundle", text);
    }

    @Test
    void bundle_ofOneAuthority_isValid() {
        assertThat(errors(bundle)).isEmpty();
    }

    @Test
    void bundle_withoutAuthority_isInvalid() {
        assertThat(errors(trusting(""))).isEqualTo(NO_ANCHOR);
        assertThat(errors(trusting("no certificate"))).isEqualTo(NO_ANCHOR);
    }

    @Test
    void authority_thatOccursTwice_isNamedByItsPlaces() {
        String one = bundle.string("spec", "trustBundle");
        assertThat(errors(trusting(one + one + one)))
                .isEqualTo("spec.trustBundle: Invalid value: \"<value omitted>\": duplicate trust anchor (indices [0 1 "
                        + "2])");
    }

    @Test
    void block_ofAnotherType_isNoAuthority() {
        String request = bundle.string("spec", "trustBundle").replace(" CERTIFICATE-", " CERTIFICATE REQUEST-");
        assertThat(errors(trusting(request)))
                .startsWith("spec.trustBundle: Invalid value: \"<value omitted>\": entry 0 ");
    }

    @Test
    void bundle_isLimitedToAMebibyte() {
        assertThat(errors(trusting("x".repeat(1024 * 1024 + 1))))
                .isEqualTo("spec.trustBundle: Too long: may not be more than 1048576 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "example.com/signer,example.com:signer:a,true",
        "example.com/signer,a,false",
        "'',a,true",
        "'',example.com:signer:a,false",
    })
    void name_beginsWithTheSigner(String signer, String name, boolean isValid) {
        JsonObject named = bundle.with("metadata", JsonObject.EMPTY.with("name", name));
        assertThat(errors(with(named, "signerName", signer)).isEmpty()).isEqualTo(isValid);
    }

    @Test
    void signer_cannotChange() {
        FieldErrors errors = new FieldErrors();
        TrustBundleRules.update(
                FieldCursor.of(with(bundle, "signerName", "example.com/b"), errors),
                FieldCursor.ofOld(with(bundle, "signerName", "example.com/a"), errors));
        assertThat(errors.message()).isEqualTo("spec.signerName: Invalid value: \"example.com/b\": field is immutable");
    }
}
