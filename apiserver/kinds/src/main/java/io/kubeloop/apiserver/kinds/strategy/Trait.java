/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

/** What a kind has or does, and most kinds do not. {@link KindStrategy} applies the traits. */
public enum Trait {
    /** The status is a subresource; creation and updates of the object ignore it. */
    STATUS,

    /** The status is a subresource; creation keeps the status of the client, and updates of the object ignore it. */
    STATUS_FROM_START,

    /** {@code metadata.generation} is 1 and stays so. */
    FIXED_GENERATION,

    /** An update of an absent object creates it. */
    CREATES_ON_UPDATE,

    /** An update must contain the resource version that it replaces. */
    REQUIRES_VERSION_ON_UPDATE,

    /** A deletion orphans the dependents unless the client requests another policy. */
    ORPHANS_BY_DEFAULT,

    /** A deletion returns the object instead of a status. */
    RETURNS_DELETED_OBJECT,

    /** A write of the status leaves the labels and most other metadata alone. */
    KEEPS_METADATA_IN_STATUS,

    /** The status has no form as table. */
    WITHOUT_STATUS_TABLE,

    /** The validation reads the document of the client. */
    CHECKS_SENT,

    /** A generated name is the prefix without a suffix. */
    KEEPS_GENERATED_NAMES,

    /** Upstream declares no rules beside the type. */
    UNDECLARED,

    /** Finalizers need no domain. */
    PLAIN_FINALIZERS,

    /** The garbage collector ignores the dependents of the objects. */
    IGNORES_DEPENDENTS
}
