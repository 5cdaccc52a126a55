/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Validation of what containers on Windows run as (upstream: {@code validateWindowsSecurityContextOptions}). */
final class WindowsRules {

    private static final int MAX_SPEC_KIB = 64;
    private static final int MAX_DOMAIN = 256;
    private static final int MAX_USER = 104;
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");
    private static final Pattern NET_BIOS = Pattern.compile("[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}");
    private static final String LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
    private static final Pattern DOMAIN = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");
    private static final Pattern DOTS_OR_SPACES = Pattern.compile("[. ]+");
    private static final String EXCLUDED = "\"/\\:;|=,+*?<>@[]";

    private WindowsRules() {}

    /** Validates the options of a pod or of a container. */
    static void options(FieldCursor options) {
        options.at("gmsaCredentialSpecName").ifSet(name -> name.follows(NameValidation::dns1123Subdomain));
        options.at("gmsaCredentialSpec").ifSet(spec -> {
            int length = length(spec.text());
            if (length == 0) {
                spec.invalid("gmsaCredentialSpec cannot be an empty string");
            } else if (length > MAX_SPEC_KIB * 1024) {
                spec.invalid("gmsaCredentialSpec size must be under " + MAX_SPEC_KIB + " KiB");
            }
        });
        options.at("runAsUserName").ifSet(WindowsRules::account);
    }

    private static void account(FieldCursor account) {
        String text = account.text();
        int domainEnd = text.indexOf('\\');
        if (text.isEmpty()) {
            account.invalid("runAsUserName cannot be an empty string");
        } else if (CONTROL.matcher(text).find()) {
            account.invalid("runAsUserName cannot contain control characters");
        } else if (domainEnd != text.lastIndexOf('\\')) {
            account.invalid("runAsUserName cannot contain more than one backslash");
        } else {
            if (domainEnd >= 0) {
                domain(account, text.substring(0, domainEnd));
            }
            user(account, text.substring(domainEnd + 1));
        }
    }

    private static void domain(FieldCursor account, String domain) {
        if (length(domain) >= MAX_DOMAIN) {
            account.invalid("runAsUserName's Domain length must be under " + MAX_DOMAIN + " characters");
        }
        if (!NET_BIOS.matcher(domain).matches() && !DOMAIN.matcher(domain).matches()) {
            account.invalid("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
        }
    }

    private static void user(FieldCursor account, String user) {
        if (user.isEmpty()) {
            account.invalid("runAsUserName's User cannot be empty");
        } else if (length(user) > MAX_USER) {
            account.invalid("runAsUserName's User length must not be longer than " + MAX_USER + " characters");
        }
        if (DOTS_OR_SPACES.matcher(user).matches()) {
            account.invalid("runAsUserName's User cannot contain only periods or spaces");
        }
        if (user.chars().anyMatch(c -> EXCLUDED.indexOf(c) >= 0)) {
            account.invalid("runAsUserName's User cannot contain the following characters: " + EXCLUDED);
        }
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Validates that all containers of a pod or none are processes of the host. */
    static void hostProcess(FieldCursor spec) {
        FieldCursor ofPod = spec.at("securityContext", "windowsOptions", "hostProcess");
        List<FieldCursor> contexts = OsRules.contexts(spec);
        int processes = 0;
        for (FieldCursor context : contexts) {
            FieldCursor own = context.at("windowsOptions", "hostProcess");
            if (ofPod.isSet() && own.isSet() && ofPod.isTrue() != own.isTrue()) {
                own.invalid("pod hostProcess value must be identical if both are specified, was " + ofPod.isTrue());
            }
            processes += (own.isSet() ? own : ofPod).isTrue() ? 1 : 0;
        }
        if (processes == 0) {
            return;
        }
        if (processes != contexts.size()) {
            spec.holding(new JsonString(""))
                    .invalid("If pod contains any hostProcess containers then all containers must be HostProcess"
                            + " containers");
        }
        if (!spec.at("hostNetwork").isTrue()) {
            spec.at("hostNetwork")
                    .holding(JsonBoolean.FALSE)
                    .invalid("hostNetwork must be true if pod contains any hostProcess containers");
        }
    }
}
