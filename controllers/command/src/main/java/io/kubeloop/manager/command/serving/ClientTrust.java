/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import io.kubeloop.apiserver.http.ClientAuthorities;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What authenticates clients without a token.
 *
 * @param clients the authorities of client certificates; null for none
 * @param proxies the authorities of the certificates of a front proxy; null for none
 * @param proxyNames the common names of front proxies; empty for every name
 * @param userHeaders the headers with the name of a user
 * @param uidHeaders the headers with its UID
 * @param groupHeaders the headers with its groups
 * @param extraPrefixes the prefixes of the headers with its extra values
 */
public record ClientTrust(
        @Nullable ClientAuthorities clients,
        @Nullable ClientAuthorities proxies,
        List<String> proxyNames,
        List<String> userHeaders,
        List<String> uidHeaders,
        List<String> groupHeaders,
        List<String> extraPrefixes) {

    /** Copies the lists. */
    public ClientTrust {
        proxyNames = List.copyOf(proxyNames);
        userHeaders = List.copyOf(userHeaders);
        uidHeaders = List.copyOf(uidHeaders);
        groupHeaders = List.copyOf(groupHeaders);
        extraPrefixes = List.copyOf(extraPrefixes);
    }
}
