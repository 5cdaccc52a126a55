/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.jspecify.annotations.Nullable;

/**
 * The usages of a request as extensions of a certificate (upstream: {@code authority.keyUsagesFromStrings}).
 *
 * @param bits the usages of the key, as bits of {@link KeyUsage}; 0 for none
 * @param purposes the purposes of the certificate, in the order of their definition
 */
record KeyUsages(int bits, List<KeyPurposeId> purposes) {

    private static final Map<String, Integer> BITS = Map.of(
            "signing", KeyUsage.digitalSignature,
            "digital signature", KeyUsage.digitalSignature,
            "content commitment", KeyUsage.nonRepudiation,
            "key encipherment", KeyUsage.keyEncipherment,
            "key agreement", KeyUsage.keyAgreement,
            "data encipherment", KeyUsage.dataEncipherment,
            "cert sign", KeyUsage.keyCertSign,
            "crl sign", KeyUsage.cRLSign,
            "encipher only", KeyUsage.encipherOnly,
            "decipher only", KeyUsage.decipherOnly);

    /** The purposes by usage. The order is that of the certificate. */
    private static final Map<String, KeyPurposeId> PURPOSES = new LinkedHashMap<>();

    static {
        PURPOSES.put("any", KeyPurposeId.anyExtendedKeyUsage);
        PURPOSES.put("server auth", KeyPurposeId.id_kp_serverAuth);
        PURPOSES.put("client auth", KeyPurposeId.id_kp_clientAuth);
        PURPOSES.put("code signing", KeyPurposeId.id_kp_codeSigning);
        PURPOSES.put("email protection", KeyPurposeId.id_kp_emailProtection);
        PURPOSES.put("s/mime", KeyPurposeId.id_kp_emailProtection);
        PURPOSES.put("ipsec end system", KeyPurposeId.id_kp_ipsecEndSystem);
        PURPOSES.put("ipsec tunnel", KeyPurposeId.id_kp_ipsecTunnel);
        PURPOSES.put("ipsec user", KeyPurposeId.id_kp_ipsecUser);
        PURPOSES.put("timestamping", KeyPurposeId.id_kp_timeStamping);
        PURPOSES.put("ocsp signing", KeyPurposeId.id_kp_OCSPSigning);
        PURPOSES.put("microsoft sgc", purpose("1.3.6.1.4.1.311.10.3.3"));
        PURPOSES.put("netscape sgc", purpose("2.16.840.1.113730.4.1"));
    }

    private static KeyPurposeId purpose(String id) {
        return KeyPurposeId.getInstance(new ASN1ObjectIdentifier(id));
    }

    /**
     * Returns the extensions for usages.
     *
     * @throws IllegalArgumentException if there are unknown usages; the message lists them
     */
    static KeyUsages of(List<String> usages) {
        List<String> unknown = usages.stream()
                .filter(usage -> !BITS.containsKey(usage) && !PURPOSES.containsKey(usage))
                .map(usage -> "\"" + usage + "\"")
                .toList();
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unrecognized usage values: [" + String.join(" ", unknown) + "]");
        }
        int bits =
                usages.stream().mapToInt(usage -> BITS.getOrDefault(usage, 0)).reduce(0, (a, b) -> a | b);
        List<KeyPurposeId> purposes = new ArrayList<>();
        PURPOSES.forEach((usage, purpose) -> {
            if (usages.contains(usage) && !purposes.contains(purpose)) {
                purposes.add(purpose);
            }
        });
        return new KeyUsages(bits, List.copyOf(purposes));
    }

    /** Returns the extension for the key; null if the certificate has none. */
    @Nullable
    KeyUsage keyUsage() {
        return bits == 0 ? null : new KeyUsage(bits);
    }

    /** Returns the extension for the certificate; null if it has none. */
    @Nullable
    ExtendedKeyUsage extendedKeyUsage() {
        return purposes.isEmpty() ? null : new ExtendedKeyUsage(purposes.toArray(KeyPurposeId[]::new));
    }
}
