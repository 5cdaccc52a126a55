/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.runtime.encoding.Pem;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Validation of cluster trust bundles (upstream: {@code pkg/apis/certificates/validation}). */
public final class TrustBundleRules {

    private static final int MAX_BUNDLE = 1024 * 1024;

    private TrustBundleRules() {}

    /** Validates a bundle. */
    public static void bundle(FieldCursor bundle) {
        FieldCursor signer = bundle.at("spec", "signerName");
        FieldCursor metadata = bundle.at("metadata");
        metadata.at("generateName").followsIfSet(prefix -> nameProblems(prefix, signer.text(), true));
        metadata.at("name").followsIfSet(name -> nameProblems(name, signer.text(), false));
        if (!signer.isEmpty()) {
            CertificateRules.signer(signer);
        }
        certificates(bundle.at("spec", "trustBundle"));
    }

    /** Returns the errors of the name of a bundle, which begins with the name of its signer if it has one. */
    private static List<String> nameProblems(String name, String signer, boolean isPrefix) {
        if (signer.isEmpty()) {
            return name.contains(":")
                    ? List.of("ClusterTrustBundle without signer name must not have \":\" in its name")
                    : Names.dns1123Subdomain(name, isPrefix);
        }
        String prefix = signer.replace('/', ':') + ":";
        return name.startsWith(prefix)
                ? Names.dns1123Subdomain(name.substring(prefix.length()), isPrefix)
                : List.of("ClusterTrustBundle for signerName " + signer + " must be named with prefix " + prefix);
    }

    /** Validates the name of a bundle that a volume refers to. */
    public static void reference(FieldCursor name) {
        int end = name.text().lastIndexOf(':');
        String signer = end < 0 ? "" : name.text().substring(0, end).replace(':', '/');
        for (String problem : nameProblems(name.text(), signer, false)) {
            name.invalid("not a valid clustertrustbundlename: " + problem);
        }
    }

    private static void certificates(FieldCursor bundle) {
        if (bundle.text().length() > MAX_BUNDLE) {
            bundle.errors().tooLong(bundle.path(), MAX_BUNDLE);
            return;
        }
        List<String> problems = new ArrayList<>();
        Map<ByteBuffer, List<Integer>> indexes = new LinkedHashMap<>();
        List<Pem> blocks = Pem.blocks(bundle.text());
        for (int i = 0; i < blocks.size(); i++) {
            String problem = PemRequest.problemOfAuthority(blocks.get(i));
            if (problem.isEmpty()) {
                indexes.computeIfAbsent(ByteBuffer.wrap(blocks.get(i).content()), content -> new ArrayList<>())
                        .add(i);
            } else {
                problems.add("entry " + i + " " + problem);
            }
        }
        if (problems.isEmpty() && indexes.isEmpty()) {
            problems.add("at least one trust anchor must be provided");
        } else if (problems.isEmpty()) {
            indexes.values().stream()
                    .filter(same -> same.size() > 1)
                    .map(same -> same.stream().map(String::valueOf).collect(Collectors.joining(" ", "[", "]")))
                    .forEach(same -> problems.add("duplicate trust anchor (indices " + same + ")"));
        }
        bundle.holding(new JsonString("<value omitted>")).invalid(problems);
    }

    /** Validates a change of a bundle. */
    public static void update(FieldCursor bundle, FieldCursor old) {
        bundle.at("spec", "signerName")
                .holdingText()
                .immutable(old.at("spec", "signerName").holdingText());
    }
}
