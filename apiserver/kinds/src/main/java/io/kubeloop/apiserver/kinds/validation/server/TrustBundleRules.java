/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.SignerRules;
import io.kubeloop.json.encoding.Pem;
import io.kubeloop.json.tree.JsonString;
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
        metadata.at("generateName").followsIfSet(prefix -> SignerRules.bundleNameProblems(prefix, signer.text(), true));
        metadata.at("name").followsIfSet(name -> SignerRules.bundleNameProblems(name, signer.text(), false));
        if (!signer.isEmpty()) {
            SignerRules.signer(signer);
        }
        certificates(bundle.at("spec", "trustBundle"));
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
