/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one manager (upstream: {@code metav1.ManagedFieldsEntry}).
 *
 * @param id the identity of the entry
 * @param apiVersion the version in whose terms the fields are
 * @param fields the fields that the manager owns
 * @param time the time of the last change of the entry, as text; empty for none
 * @param source the JSON form from which the entry was read; null if it has changed since
 */
record ManagedEntry(
        ManagerId id,
        String apiVersion,
        FieldSet fields,
        String time,
        @Nullable JsonObject source) {

    /** The order of {@code managedFields}: applies first, then by time, manager, version and subresource. */
    static final Comparator<ManagedEntry> ORDER = Comparator.comparing((ManagedEntry entry) -> entry.id.operation())
            .thenComparingLong(ManagedEntry::seconds)
            .thenComparing(entry -> entry.id.manager(), ValueOrder::compareText)
            .thenComparing(ManagedEntry::apiVersion, ValueOrder::compareText)
            .thenComparing(entry -> entry.id.subresource(), ValueOrder::compareText);

    private static final String FIELDS_V1 = "FieldsV1";

    ManagedEntry(ManagerId id, String apiVersion, FieldSet fields, String time) {
        this(id, apiVersion, fields, time, null);
    }

    /**
     * Reads an entry.
     *
     * @throws DecodeException if the entry is invalid
     */
    static ManagedEntry decode(JsonObject entry) {
        ManagerId.Operation operation = switch (entry.string("operation")) {
            case "Apply" -> ManagerId.Operation.APPLY;
            case "Update" -> ManagerId.Operation.UPDATE;
            default -> throw new DecodeException("operation must be `Apply` or `Update`", null);
        };
        String apiVersion = entry.string("apiVersion");
        if (apiVersion.isEmpty()) {
            throw new DecodeException("apiVersion must not be empty", null);
        }
        if (!entry.string("fieldsType").equals(FIELDS_V1)) {
            throw new DecodeException("the fieldsType of a managed fields entry must be " + FIELDS_V1, null);
        }
        String version = operation == ManagerId.Operation.APPLY ? "" : apiVersion;
        ManagerId id = new ManagerId(entry.string("manager"), operation, version, entry.string("subresource"));
        FieldsV1.Reading reading = new FieldsV1.Reading();
        FieldSet fields = reading.set(entry.object("fieldsV1"));
        return new ManagedEntry(id, apiVersion, fields, entry.string("time"), reading.isOrdered() ? entry : null);
    }

    /** Returns the JSON form. */
    JsonObject encode() {
        if (source != null) {
            return source;
        }
        JsonObject.Builder members = JsonObject.builder();
        if (!id.manager().isEmpty()) {
            members.put("manager", id.manager());
        }
        members.put("operation", id.operation().text()).put("apiVersion", apiVersion);
        if (!time.isEmpty()) {
            members.put("time", time);
        }
        members.put("fieldsType", FIELDS_V1).put("fieldsV1", FieldsV1.encode(fields));
        if (!id.subresource().isEmpty()) {
            members.put("subresource", id.subresource());
        }
        return members.build();
    }

    /** Returns the entry with other fields; the same instance if they are the same. */
    @SuppressWarnings("ReferenceEquality") // unchanged sets are the same instances
    ManagedEntry withFields(FieldSet changed) {
        return changed == fields ? this : new ManagedEntry(id, apiVersion, changed, time);
    }

    /** Returns the time in seconds since the epoch; 0 if there is none. */
    long seconds() {
        if (time.isEmpty()) {
            return 0;
        }
        try {
            return Instant.parse(time).getEpochSecond();
        } catch (DateTimeParseException e) {
            return 0; // an entry that a client has written; it sorts as an entry without a time
        }
    }
}
