/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.network;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.IpRange;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.json.tree.JsonNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Validation of network policies (upstream: {@code pkg/apis/networking/validation}). */
public final class NetworkPolicyRules {

    private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");
    private static final List<String> TYPES = List.of("Ingress", "Egress");

    private NetworkPolicyRules() {}

    /** Validates a new policy. */
    public static void create(FieldCursor policy) {
        spec(policy.at("spec"), List.of());
    }

    /** Validates a changed policy. Ranges that the old one contains anywhere stay valid. */
    public static void update(FieldCursor policy, FieldCursor old) {
        List<String> kept = new ArrayList<>();
        eachBlock(old, block -> {
            kept.add(block.at("cidr").text());
            kept.addAll(block.at("except").array().strings().toList());
        });
        spec(policy.at("spec"), kept);
    }

    /** Returns the warnings about the ranges of a policy. */
    public static List<String> warnings(FieldCursor policy) {
        List<String> warnings = new ArrayList<>();
        eachBlock(policy, block -> {
            FieldCursor range = block.at("cidr");
            warnings.addAll(AddressRules.cidrWarnings(range.path(), range.text()));
            block.at("except").each(part -> warnings.addAll(AddressRules.cidrWarnings(part.path(), part.text())));
        });
        return warnings;
    }

    private static void eachBlock(FieldCursor policy, Consumer<FieldCursor> use) {
        policy.at("spec", "ingress")
                .each(rule -> rule.at("from").each(peer -> peer.at("ipBlock").ifSet(use)));
        policy.at("spec", "egress")
                .each(rule -> rule.at("to").each(peer -> peer.at("ipBlock").ifSet(use)));
    }

    private static void spec(FieldCursor spec, List<String> kept) {
        SelectorRules.selector(spec.at("podSelector"));
        spec.at("ingress").each(rule -> {
            rule.at("ports").each(NetworkPolicyRules::port);
            rule.at("from").each(peer -> peer(peer, kept));
        });
        spec.at("egress").each(rule -> {
            rule.at("ports").each(NetworkPolicyRules::port);
            rule.at("to").each(peer -> peer(peer, kept));
        });
        FieldCursor types = spec.at("policyTypes");
        if (types.array().size() > TYPES.size()) {
            types.invalid("may not specify more than two policyTypes");
        } else {
            types.each(type -> type.oneOf(TYPES));
        }
    }

    private static void port(FieldCursor port) {
        port.at("protocol").oneOfIfSet(PROTOCOLS);
        FieldCursor number = port.at("port");
        FieldCursor end = port.at("endPort");
        if (number.value() instanceof JsonNumber) {
            IngressRules.portNumber(number);
            if (end.isSet()) {
                if (end.number() < number.number()) {
                    end.invalid("must be greater than or equal to `port`");
                }
                IngressRules.portNumber(end);
            }
        } else if (number.isSet()) {
            if (end.isSet()) {
                end.invalid("may not be specified when `port` is non-numeric");
            }
            number.follows(NameValidation::portName);
        } else if (end.isSet()) {
            end.invalid("may not be specified when `port` is not specified");
        }
    }

    private static void peer(FieldCursor peer, List<String> kept) {
        FieldCursor block = peer.at("ipBlock");
        SelectorRules.selector(peer.at("podSelector"));
        SelectorRules.selector(peer.at("namespaceSelector"));
        block.ifSet(set -> block(set, kept));
        boolean selects =
                peer.at("podSelector").isSet() || peer.at("namespaceSelector").isSet();
        if (!selects && !block.isSet()) {
            peer.required("must specify a peer");
        } else if (selects && block.isSet()) {
            peer.forbidden("may not specify both ipBlock and another peer");
        }
    }

    private static void block(FieldCursor block, List<String> kept) {
        FieldCursor whole = block.at("cidr");
        if (!whole.declared().require()) {
            return;
        }
        AddressRules.cidr(whole.path(), whole.text(), kept, whole.errors());
        IpRange range = IpRange.parse(whole.text());
        if (range == null) {
            return;
        }
        block.at("except").each(part -> {
            AddressRules.cidr(part.path(), part.text(), kept, part.errors());
            IpRange except = IpRange.parse(part.text());
            if (except != null && !range.strictlyContains(except)) {
                part.invalid("must be a strict subset of `cidr`");
            }
        });
    }
}
