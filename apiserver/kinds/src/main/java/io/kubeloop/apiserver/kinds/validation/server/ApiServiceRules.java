/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.Base64Text;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonString;
import java.util.List;

/** Validation of API services (upstream: {@code kube-aggregator/pkg/apis/apiregistration/validation}). */
public final class ApiServiceRules {

    private static final int MAX_PORT = 65_535;

    private ApiServiceRules() {}

    /** Validates an API service. */
    public static void service(FieldCursor service) {
        FieldCursor spec = service.at("spec");
        String group = spec.at("group").text();
        String version = spec.at("version").text();
        name(service.at("metadata", "generateName"), version + "." + group, true);
        name(service.at("metadata", "name"), version + "." + group, false);
        if (group.isEmpty() && !version.equals("v1")) {
            spec.at("group").required("only v1 may have an empty group and it better be legacy kube");
        }
        spec.at("group").followsIfSet(NameValidation::dns1123Subdomain);
        spec.at("version").follows(NameValidation::dns1035Label);
        upTo(spec.at("groupPriorityMinimum").holdingNumber(), 20_000);
        upTo(spec.at("versionPriority").holdingNumber(), 1000);
        FieldCursor bundle = spec.at("caBundle");
        FieldCursor insecure = spec.at("insecureSkipTLSVerify");
        FieldCursor target = spec.at("service");
        if (!target.isSet()) {
            if (!bundle.isEmpty()) {
                bundle.holding(new JsonString(Base64Text.decode(bundle.text()).length + " bytes"))
                        .invalid("local APIServices may not have a caBundle");
            }
            if (insecure.isTrue()) {
                insecure.invalid("local APIServices may not have insecureSkipTLSVerify");
            }
            return;
        }
        target.at("namespace").require();
        target.at("name").require();
        FieldCursor port = target.at("port").holdingNumber();
        if (port.number() < 1 || port.number() > MAX_PORT) {
            port.invalid("port is not valid: must be between 1 and 65535, inclusive");
        }
        if (insecure.isTrue() && !bundle.isEmpty()) {
            insecure.invalid("may not be true if caBundle is present");
        }
    }

    private static void name(FieldCursor name, String wanted, boolean prefix) {
        if (!name.isEmpty()
                && !name.text().equals(wanted)
                && Names.pathSegment(name.text(), prefix).isEmpty()) {
            name.invalid("must be `spec.version+\".\"+spec.group`: \"" + wanted + "\"");
        }
    }

    private static void upTo(FieldCursor priority, int most) {
        if (priority.number() <= 0 || priority.number() > most) {
            priority.invalid("must be positive and less than " + most);
        }
    }

    /** Validates the change of the status of an API service. */
    public static void statusUpdate(FieldCursor service, FieldCursor old, Part part) {
        if (part == Part.STATUS) {
            service.at("status", "conditions")
                    .each(condition -> condition.at("status").oneOf(List.of("True", "False", "Unknown")));
        }
    }
}
