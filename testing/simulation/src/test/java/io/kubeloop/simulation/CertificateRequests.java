/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Requests for certificates in the scenarios. Each subject has one, so the runs of a scenario are the same. */
final class CertificateRequests {

    private static final Map<String, String> BY_SUBJECT = new ConcurrentHashMap<>();

    private CertificateRequests() {}

    /**
     * Returns an object of kind CertificateSigningRequest.
     *
     * @param step its {@code name}, its {@code subject} as in {@code /O=devs/CN=jane}, and the rest of its {@code spec}
     */
    static JsonObject of(JsonObject step) {
        String request = BY_SUBJECT.computeIfAbsent(step.string("subject"), CertificateRequests::encoded);
        return JsonObject.EMPTY
                .with("kind", "CertificateSigningRequest")
                .with("metadata", JsonObject.EMPTY.with("name", step.string("name")))
                .with("spec", step.object("spec").with("request", request));
    }

    private static String encoded(String subject) {
        try {
            KeyPair keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
            X500Name name = new X500Name(subject.substring(1).replace('/', ','));
            StringWriter pem = new StringWriter();
            try (JcaPEMWriter writer = new JcaPEMWriter(pem)) {
                writer.writeObject(new JcaPKCS10CertificationRequestBuilder(name, keys.getPublic())
                        .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
            }
            return Base64.getEncoder().encodeToString(pem.toString().getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this JDK cannot make a request for " + subject, e);
        }
    }
}
