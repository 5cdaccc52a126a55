package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.json.tree.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Rejects requests for a client certificate of the group {@code system:masters}, which has every permission (upstream: the
 * plug-in {@code CertificateSubjectRestriction}). Stateless; thread-safe.
 */
final class CertificateSubject implements AdmissionPlugin {

    private static final String SIGNER = "kubernetes.io/kube-apiserver-client";
    private static final String ALL_POWERFUL = "system:masters";

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        if (!Targets.creates(request, "certificatesigningrequests.certificates.k8s.io")
                || !object.string("spec", "signerName").equals(SIGNER)) {
            return;
        }
        List<String> groups;
        try {
            groups = organizations(object.string("spec", "request"));
        } catch (IllegalArgumentException e) {
            throw request.forbidden("failed to parse CSR: " + e.getMessage());
        }
        if (groups.contains(ALL_POWERFUL)) {
            throw request.forbidden("use of " + SIGNER + " signer with " + ALL_POWERFUL + " group is not allowed");
        }
    }

    /**
     * Returns the organizations in the subject of a request.
     *
     * @param encoded the text form of the request, in Base64
     */
    private static List<String> organizations(String encoded) {
        String text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.US_ASCII);
        String body = text.replaceAll("(?s).*-----BEGIN CERTIFICATE REQUEST-----(.*?)-----END.*", "$1");
        Der request = new Der(ByteBuffer.wrap(Base64.getMimeDecoder().decode(body)));
        Der info = request.inner().inner();
        info.skip(); // the version
        List<String> organizations = new ArrayList<>();
        for (Der names = info.inner(); names.hasMore(); ) {
            for (Der set = names.inner(); set.hasMore(); ) {
                Der attribute = set.inner();
                boolean isOrganization = Arrays.equals(attribute.next(), Der.ORGANIZATION);
                String value = new String(attribute.next(), StandardCharsets.UTF_8);
                if (isOrganization) {
                    organizations.add(value);
                }
            }
        }
        return organizations;
    }

    /** Reads values of the Distinguished Encoding Rules one after the other. Confined to one thread. */
    private record Der(ByteBuffer bytes) {

        /** The object identifier 2.5.4.10. */
        private static final byte[] ORGANIZATION = {0x55, 0x04, 0x0a};

        boolean hasMore() {
            return bytes.hasRemaining();
        }

        Der inner() {
            return new Der(ByteBuffer.wrap(next()));
        }

        void skip() {
            next();
        }

        /** Returns the content of the next value. */
        byte[] next() {
            if (bytes.remaining() < 2) {
                throw new IllegalArgumentException("the request is truncated");
            }
            bytes.get(); // the tag
            int length = bytes.get() & 0xff;
            if (length > 0x80) {
                int size = length & 0x7f;
                length = 0;
                for (int i = 0; i < size && bytes.hasRemaining() && length < 1 << 16; i++) {
                    length = length << 8 | (bytes.get() & 0xff);
                }
            }
            if (length > bytes.remaining()) {
                throw new IllegalArgumentException("the request is truncated");
            }
            byte[] content = new byte[length];
            bytes.get(content);
            return content;
        }
    }
}
