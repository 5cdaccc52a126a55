/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.storage;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.DeclaredFormats;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.kinds.validation.VolumeSourceRules;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of CSI drivers, nodes, capacities and attachments (upstream: {@code pkg/apis/storage/validation}). */
public final class DriverRules {

    private static final List<String> GROUP_POLICIES = List.of("File", "None", "ReadWriteOnceWithFSType");
    private static final List<String> LIFECYCLE_MODES = List.of("Persistent", "Ephemeral");
    private static final String IN_SECRETS = "serviceAccountTokenInSecrets";
    private static final long MIN_TOKEN_SECONDS = 600;
    private static final long MAX_TOKEN_SECONDS = 1L << 32;
    private static final int MIN_PERIOD_SECONDS = 10;
    private static final int MAX_NODE_ID = 256;
    private static final int MAX_METADATA_BYTES = 256 * 1024;
    private static final int MAX_MESSAGE_BYTES = 1024;

    private DriverRules() {}

    /** Validates a driver. */
    public static void driver(FieldCursor driver) {
        FieldCursor spec = driver.at("spec");
        spec.at("fsGroupPolicy").oneOfIfSet(GROUP_POLICIES);
        FieldCursor requests = spec.at("tokenRequests");
        Set<String> audiences = new HashSet<>();
        requests.each(request -> {
            if (audiences.add(request.at("audience").text())) {
                expiration(request.at("expirationSeconds"));
            } else {
                request.at("audience").holdingText().duplicate();
            }
        });
        FieldCursor modes = spec.at("volumeLifecycleModes");
        modes.each(mode -> mode.named(modes.path()).oneOf(LIFECYCLE_MODES));
        FieldCursor period = spec.at("nodeAllocatableUpdatePeriodSeconds");
        if (period.isSet() && period.number() < MIN_PERIOD_SECONDS) {
            period.invalid("must be greater than or equal to 10 seconds");
        }
        if (spec.at(IN_SECRETS).isSet() && requests.isEmpty()) {
            spec.at(IN_SECRETS).invalid(IN_SECRETS + " is set but no tokenRequests are specified");
        }
    }

    private static void expiration(FieldCursor seconds) {
        if (seconds.isSet() && seconds.number() < MIN_TOKEN_SECONDS) {
            seconds.invalid("may not specify a duration less than 10 minutes");
        }
        if (seconds.number() > MAX_TOKEN_SECONDS) {
            seconds.invalid("may not specify a duration larger than 2^32 seconds");
        }
    }

    /** Validates a change of a driver. */
    public static void driverUpdate(FieldCursor driver, FieldCursor old) {
        driver.at("spec", "attachRequired").named("spec.attachedRequired").immutable(old.at("spec", "attachRequired"));
        driver.at("spec", "volumeLifecycleModes").immutable(old.at("spec", "volumeLifecycleModes"));
    }

    /** Returns the warnings about a driver whose token requests are new. */
    public static List<String> driverWarnings(FieldCursor driver, @Nullable JsonObject old) {
        FieldCursor requests = driver.at("spec", "tokenRequests");
        boolean isNew =
                old == null || !old.object("spec").array("tokenRequests").equals(requests.array());
        return isNew && !requests.isEmpty() && !driver.at("spec", IN_SECRETS).isSet()
                ? List.of("spec." + IN_SECRETS + " is unset; if supported by this CSI driver, set to true to prevent"
                        + " possible logging of tokens in volume attributes")
                : List.of();
    }

    /** Validates the drivers of a node. */
    public static void node(FieldCursor node) {
        Set<String> names = new HashSet<>();
        node.at("spec", "drivers").each(driver -> nodeDriver(driver, names));
    }

    private static void nodeDriver(FieldCursor driver, Set<String> names) {
        FieldCursor name = driver.at("name").holdingText();
        FieldCursor id = driver.at("nodeID");
        VolumeSourceRules.driverName(name);
        id.require();
        if (id.text().length() > MAX_NODE_ID) {
            id.invalid("must be " + MAX_NODE_ID + " characters or less");
        }
        driver.at("allocatable", "count").nonNegative();
        if (!names.add(name.text())) {
            name.duplicate();
        }
        Set<String> keys = new HashSet<>();
        for (FieldCursor item : driver.at("topologyKeys").items()) {
            FieldCursor key = item.named(driver.path());
            key.require();
            if (!keys.add(key.text())) {
                key.duplicate();
            }
            key.follows(NameValidation::qualifiedName);
        }
    }

    /** Validates a change of the drivers of a node: a driver that stays may change only its limit. */
    public static void nodeUpdate(FieldCursor node, FieldCursor old) {
        FieldCursor drivers = node.at("spec", "drivers");
        for (FieldCursor before : old.at("spec", "drivers").items()) {
            for (FieldCursor driver : drivers.items()) {
                JsonObject fixed = driver.object().without("allocatable");
                if (driver.at("name").text().equals(before.at("name").text())
                        && !fixed.equals(before.object().without("allocatable"))) {
                    JsonObject shown = driver.shownObject().without("allocatable");
                    InternalForm.shown("storage.v1.CSINodeDriver", drivers.holding(shown))
                            .invalid("field is immutable");
                }
            }
        }
    }

    /** Validates the capacity of a driver. */
    public static void capacity(FieldCursor capacity) {
        SelectorRules.selector(capacity.at("nodeTopology"));
        capacity.at("storageClassName").follows(NameValidation::dns1123Subdomain);
        FieldCursor amount = capacity.at("capacity");
        if (amount.value() != null && Quantities.of(amount.value()).signum() < 0) {
            amount.invalid("must be greater than or equal to 0");
        }
    }

    /** Validates a change of the capacity of a driver. */
    public static void capacityUpdate(FieldCursor capacity, FieldCursor old) {
        FieldCursor topology = capacity.at("nodeTopology");
        if (!topology.isSameAs(old.at("nodeTopology"))) {
            InternalForm.shown("meta.v1.LabelSelector", topology).invalid("field is immutable");
        }
        capacity.at("storageClassName")
                .holdingText()
                .immutable(old.at("storageClassName").holdingText());
    }

    /** Validates a new attachment of a volume to a node. */
    public static void newAttachment(FieldCursor attachment) {
        DeclaredFormats.driverName(attachment.at("spec", "attacher"));
        attachment(attachment);
    }

    private static void attachment(FieldCursor attachment) {
        FieldCursor spec = attachment.at("spec");
        FieldCursor source = spec.at("source");
        FieldCursor name = source.at("persistentVolumeName");
        FieldCursor inline = source.at("inlineVolumeSpec");
        String exactlyOne = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
        if (!name.isSet() && !inline.isSet()) {
            source.required(exactlyOne);
        } else if (name.isSet() && inline.isSet()) {
            source.forbidden(exactlyOne);
        } else if (name.isSet()) {
            name.require("must specify non empty persistentVolumeName");
        } else {
            PersistentVolumeRules.inline(inline);
        }
        spec.at("nodeName").follows(NameValidation::dns1123Subdomain);
        FieldCursor status = attachment.at("status");
        FieldCursor metadata = status.at("attachmentMetadata");
        if (StorageClassRules.bytes(metadata) > MAX_METADATA_BYTES) {
            metadata.errors().tooLong(metadata.path(), MAX_METADATA_BYTES);
        }
        volumeError(status.at("attachError"));
        volumeError(status.at("detachError"));
        name.ifSet(set -> set.follows(NameValidation::dns1123Subdomain));
    }

    private static void volumeError(FieldCursor error) {
        FieldCursor message = error.at("message");
        if (message.text().getBytes(StandardCharsets.UTF_8).length > MAX_MESSAGE_BYTES) {
            error.errors().tooLong(message.path(), MAX_MESSAGE_BYTES);
        }
        FieldCursor code = error.at("errorCode");
        if (code.number() < 0) {
            code.invalid("must be between 0 and " + Integer.MAX_VALUE + ", inclusive");
        }
    }

    /** Validates a change of an attachment. */
    public static void attachmentUpdate(FieldCursor attachment, FieldCursor old) {
        VolumeSourceRules.driverName(attachment.at("spec", "attacher"));
        attachment(attachment);
        attachment.at("spec").unchanged(old.at("spec"));
    }
}
