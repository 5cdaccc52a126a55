/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** Validation of priority levels (upstream: {@code pkg/apis/flowcontrol/validation}). */
public final class PriorityLevelRules {

    private static final String ZERO_SHARES = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
    private static final int MAX_QUEUES = 10_000_000;

    /** The number of bits of the hash that selects the queues of a flow. */
    private static final int HASH_BITS = 60;

    /** The spec of the level that receives the requests that no other schema matches. */
    private static final JsonObject CATCH_ALL = JsonObject.parse("""
            {"type":"Limited","limited":{"nominalConcurrencyShares":5,"limitResponse":{"type":"Reject"},
             "lendablePercent":0}}
            """);

    private PriorityLevelRules() {}

    /** Validates a priority level. */
    public static void level(FieldCursor level) {
        if (level.at("metadata", "annotations").entry(ZERO_SHARES).isSet()) {
            level.at("metadata", "annotations").forbidden("annotation '" + ZERO_SHARES + "' is forbidden");
        }
        String name = level.at("metadata", "name").text();
        FieldCursor spec = level.at("spec");
        spec(spec, name);
        if (name.equals("exempt") && !spec.object().without("exempt").equals(JsonObject.EMPTY.with("type", "Exempt"))) {
            InternalForm.shown("flowcontrol.v1.PriorityLevelConfigurationSpec", spec)
                    .invalid("spec of 'exempt' except the 'spec.exempt' field must equal the fixed value");
        }
        if (name.equals("catch-all") && !spec.object().equals(CATCH_ALL)) {
            InternalForm.shown("flowcontrol.v1.PriorityLevelConfigurationSpec", spec)
                    .invalid("spec of 'catch-all' must equal the fixed value");
        }
        FlowRules.status(level);
    }

    private static void spec(FieldCursor spec, String name) {
        FieldCursor type = spec.at("type").holdingText();
        if (name.equals("exempt") != type.text().equals("Exempt")) {
            type.invalid("must be 'Exempt' if and only if `name` is 'exempt'");
        }
        FieldCursor limited = spec.at("limited");
        switch (type.text()) {
            case "Exempt" -> {
                shares(spec.at("exempt", "nominalConcurrencyShares"));
                spec.at("exempt", "lendablePercent").between(0, 100);
            }
            case "Limited" -> limited.ifSet(PriorityLevelRules::limited);
            case "" -> {}
            default -> type.notSupported(List.of("Exempt", "Limited"));
        }
        if (!type.text().equals("Exempt")) {
            spec.at("exempt").declared().mustBeAbsent("");
        }
        setIf(type.text().equals("Limited"), limited);
        type.declared().require();
        limited.ifSet(set -> {
            FieldCursor response = set.at("limitResponse");
            setIf(response.at("type").text().equals("Queue"), response.at("queuing"));
            response.at("type").declared().require();
        });
    }

    private static void setIf(boolean isRequired, FieldCursor field) {
        if (!isRequired) {
            field.declared().mustBeAbsent("");
        } else if (!field.isSet()) {
            field.declared().required("");
        }
    }

    private static void shares(FieldCursor shares) {
        if (shares.number() < 0) {
            shares.invalid("must be a non-negative integer");
        }
    }

    private static void limited(FieldCursor limited) {
        shares(limited.at("nominalConcurrencyShares"));
        FieldCursor response = limited.at("limitResponse");
        switch (response.at("type").text()) {
            case "Reject", "" -> {}
            case "Queue" -> response.at("queuing").ifSet(PriorityLevelRules::queuing);
            default -> response.at("type").notSupported(List.of("Queue", "Reject"));
        }
        limited.at("lendablePercent").between(0, 100);
        FieldCursor borrowing = limited.at("borrowingLimitPercent");
        if (borrowing.number() < 0) {
            borrowing.invalid("if specified, must be a non-negative integer");
        }
    }

    private static void queuing(FieldCursor queuing) {
        FieldCursor queues = queuing.at("queues").holdingNumber();
        FieldCursor hand = queuing.at("handSize").holdingNumber();
        mustBePositive(queuing.at("queueLengthLimit").holdingNumber());
        if (mustBePositive(queues) && queues.number() > MAX_QUEUES) {
            queues.invalid("must not be greater than " + MAX_QUEUES);
        }
        if (!mustBePositive(hand)) {
            return;
        }
        if (hand.number() > queues.number()) {
            hand.invalid("should not be greater than queues (" + queues.number() + ")");
        } else if (Math.ceil(Math.log((double) queues.number()) / Math.log(2) * hand.number()) > HASH_BITS) {
            hand.invalid("required entropy bits of deckSize " + queues.number() + " and handSize " + hand.number()
                    + " should not be greater than " + HASH_BITS);
        }
    }

    private static boolean mustBePositive(FieldCursor number) {
        if (number.number() <= 0) {
            number.invalid("must be positive");
        }
        return number.number() > 0;
    }
}
