/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.UsageException;
import io.kubeloop.controller.leaderelection.LeaseDurations;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerSelection;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.transport.http.TlsConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The checked options of one controller manager. Immutable. */
final class ManagerSettings {

    private final OptionValues values;
    private final LeaderMigration migration;

    private ManagerSettings(OptionValues values) {
        this.values = values;
        this.migration = LeaderMigration.of(values);
    }

    /**
     * Checks the options against each other.
     *
     * @throws UsageException if they contradict each other, or name unknown controllers
     */
    static ManagerSettings of(OptionValues values, ControllerTable controllers) {
        ManagerSettings settings = new ManagerSettings(values);
        List<String> problems = new ArrayList<>();
        if (values.number("kube-api-qps") > 0 && values.integer("kube-api-burst") < 1) {
            problems.add(
                    "kube-api-qps requires a kube-api-burst of 1 or more, but got " + values.integer("kube-api-burst"));
        }
        if (settings.leaderElect()) {
            problems.add(settings.electionProblem());
        }
        try {
            var unused = controllers.select(settings.selection());
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
        }
        problems.addAll(LogOptions.problems(values));
        problems.addAll(FeatureGates.problems(values));
        problems.addAll(ControllerSettings.problems(values));
        problems.addAll(PageOptions.problems(values));
        OptionValues.check(problems);
        return settings;
    }

    private String electionProblem() {
        if (!values.text("leader-elect-resource-lock").equals("leases")) {
            return "resourceLock value must be \"leases\"";
        }
        if (lease().name().isEmpty() || lease().namespace().isEmpty()) {
            return "leader-elect requires a leader-elect-resource-name and a leader-elect-resource-namespace, but got "
                    + "\""
                    + lease().name() + "\" and \"" + lease().namespace() + "\"";
        }
        try {
            var unused = leaseDurations();
            return "";
        } catch (IllegalArgumentException e) {
            return "the durations of leader-elect contradict each other: " + e.getMessage();
        }
    }

    OptionValues values() {
        return values;
    }

    /**
     * Returns the controllers that run: as upstream, {@code --enable-garbage-collector=false} and feature gates that
     * are off overrule the names.
     */
    ControllerSelection selection() {
        List<String> entries = new ArrayList<>(values.texts("controllers"));
        if (!values.bool("enable-garbage-collector")) {
            entries.add(0, "-garbage-collector-controller");
        }
        FeatureGates.stopped(values).forEach(name -> entries.add(0, "-" + name));
        return new ControllerSelection(entries);
    }

    /**
     * Returns the options of the controllers, and reads the files that they name.
     *
     * @param connection the connection to the API server
     * @throws UsageException if a file cannot be read
     */
    ControllerOptions controllerOptions(TlsConfig connection) {
        return ControllerSettings.read(values, connection);
    }

    double qps() {
        return values.number("kube-api-qps");
    }

    int burst() {
        return values.integer("kube-api-burst");
    }

    boolean protobuf() {
        return values.text("kube-api-content-type").equals(ApiRequest.PROTOBUF);
    }

    boolean leaderElect() {
        return values.bool("leader-elect");
    }

    /** Returns the controllers that move between managers; none if that is off. */
    LeaderMigration migration() {
        return migration;
    }

    /** Returns the release that a coordinated election takes into account; empty if the candidates compete. */
    String coordinatedAs() {
        return FeatureGates.isOn(values, "CoordinatedLeaderElection") ? FeatureGates.emulated(values) : "";
    }

    LeaseDurations leaseDurations() {
        return new LeaseDurations(values.duration("leader-elect-lease-duration"), renewDeadline(), retryPeriod());
    }

    Duration renewDeadline() {
        return values.duration("leader-elect-renew-deadline");
    }

    Duration retryPeriod() {
        return values.duration("leader-elect-retry-period");
    }

    ObjectName lease() {
        return new ObjectName(
                values.text("leader-elect-resource-namespace"), values.text("leader-elect-resource-name"));
    }

    /**
     * Returns a random period between {@code --min-resync-period} and twice that, so several managers do not
     * resync together.
     */
    Duration resyncPeriod() {
        double factor = 1 + ThreadLocalRandom.current().nextDouble();
        return Duration.ofMillis((long) (values.duration("min-resync-period").toMillis() * factor));
    }

    /** Returns the longest wait for current syncs at the end; zero for no limit. */
    Duration stopTimeout() {
        Duration longest = values.duration("controller-shutdown-timeout");
        return longest.isNegative() ? Duration.ZERO : longest;
    }

    boolean serviceAccountCredentials() {
        return values.bool("use-service-account-credentials");
    }

    String httpAddress() {
        return values.text("http-bind-address");
    }

    /** Returns the host of the HTTP pages as a URL names it; on this machine a wildcard address is loopback. */
    String httpHost() {
        String address = httpAddress();
        boolean isWildcard = address.equals("0.0.0.0") || address.equals("::");
        return isWildcard ? "127.0.0.1" : address.contains(":") ? "[" + address + "]" : address;
    }

    int httpPort() {
        return values.integer("http-port");
    }

    /** Returns whether the address of the HTTP pages is one of this machine only. */
    boolean isBoundToLoopback() {
        try {
            return InetAddress.getByName(httpAddress()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false; // the attempt to listen reports it
        }
    }

    boolean livePage() {
        return values.isSet("live-page") ? values.bool("live-page") : isBoundToLoopback();
    }
}
