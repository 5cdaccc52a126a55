/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import java.util.List;

/**
 * The options of a write (upstream: {@code metav1.CreateOptions}, {@code UpdateOptions} and {@code PatchOptions}), with
 * the user of the client and the document that the client sent.
 *
 * @param dryRun whether to return the result without writing
 * @param fieldManager the name of the manager that owns the written fields; empty if it is unknown
 * @param fieldValidation how to treat unknown and duplicate fields
 * @param user the client
 * @param warnings collects the warnings for the client
 * @param duplicateKeys a text for each key that the body has twice in its encoding, which is not JSON
 * @param sent the document that the client has sent
 */
public record WriteOptions(
        boolean dryRun,
        String fieldManager,
        FieldValidation fieldValidation,
        UserInfo user,
        ServerWarnings warnings,
        List<String> duplicateKeys,
        SentDocument sent) {

    /** The field manager of a write by the server itself. */
    private static final String SERVER = "kube-apiserver";

    /** Copies the keys. */
    public WriteOptions {
        duplicateKeys = List.copyOf(duplicateKeys);
    }

    /** How the server treats unknown and duplicate fields, which it drops in any case. */
    public enum FieldValidation {
        /** It does not mention them. */
        IGNORE,
        /** It adds a warning for each of them. */
        WARN,
        /** It rejects the write. */
        STRICT
    }

    /** Returns the options of a write by the server itself. */
    public static WriteOptions ofServer() {
        return new WriteOptions(
                false,
                SERVER,
                FieldValidation.IGNORE,
                UserInfo.ADMIN,
                new ServerWarnings(),
                List.of(),
                new SentDocument());
    }

    /**
     * Returns an empty collection for the errors of the first validation, which has the document of the client only if
     * the kind needs it: parsing it takes time.
     */
    public FieldErrors errors(RestStrategy strategy) {
        return strategy.validatesSentDocument() && sent.isKnown() ? sent.errors() : new FieldErrors();
    }

    /** Returns the same options for a dry run, or for a write that is none. */
    public WriteOptions withDryRun(boolean dry) {
        return new WriteOptions(dry, fieldManager, fieldValidation, user, warnings, duplicateKeys, sent);
    }
}
