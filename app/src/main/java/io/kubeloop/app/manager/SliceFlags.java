package io.kubeloop.app.manager;

import io.kubeloop.app.cli.DurationFlag;
import io.kubeloop.app.cli.UsageException;
import io.kubeloop.controller.endpointslice.EndpointSliceConfig;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine;

/** The flags of the controllers of EndpointSlices. Immutable after the command line was parsed. */
final class SliceFlags {

    @CommandLine.Option(
            names = "--concurrent-service-endpoint-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Services whose EndpointSlices are synced in parallel, each on its own thread: 1 to "
                    + ManagerFlags.MAX_SYNCS + ". Default: ${DEFAULT-VALUE}.")
    private int syncs = 5;

    @CommandLine.Option(
            names = "--max-endpoints-per-slice",
            paramLabel = "N",
            defaultValue = "100",
            description = "Endpoints that an EndpointSlice holds at most: 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int maxEndpoints = EndpointSliceConfig.DEFAULT.maxEndpoints();

    @CommandLine.Option(
            names = "--endpointslice-updates-batch-period",
            paramLabel = "DURATION",
            defaultValue = "0",
            converter = DurationFlag.class,
            description = "Delay between a change of a pod and the sync of its Services' EndpointSlices. Default: 0s.")
    private Duration batchPeriod = Duration.ZERO;

    @CommandLine.Option(
            names = "--mirroring-concurrent-service-endpoint-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Endpoints that are mirrored in parallel, each on its own thread: 1 to "
                    + ManagerFlags.MAX_SYNCS + ". Default: ${DEFAULT-VALUE}.")
    private int mirroringSyncs = 5;

    @CommandLine.Option(
            names = "--mirroring-max-endpoints-per-subset",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Addresses of a subset of Endpoints that are mirrored at most: 1 to 1000. "
                    + "Default: ${DEFAULT-VALUE}.")
    private int mirroringMaxEndpoints = EndpointSliceConfig.MIRRORING.maxEndpoints();

    @CommandLine.Option(
            names = "--mirroring-endpointslice-updates-batch-period",
            paramLabel = "DURATION",
            defaultValue = "0",
            converter = DurationFlag.class,
            description =
                    "Delay between a change of a mirrored EndpointSlice and the sync of its Endpoints. Default: 0s.")
    private Duration mirroringBatchPeriod = Duration.ZERO;

    /** Returns the numbers of parallel syncs by the short names of the controllers. */
    Map<String, Integer> syncs() {
        return Map.of("endpointslice", syncs, "endpointslicemirroring", mirroringSyncs);
    }

    EndpointSliceConfig config() {
        return new EndpointSliceConfig(maxEndpoints, batchPeriod);
    }

    EndpointSliceConfig mirroring() {
        return new EndpointSliceConfig(mirroringMaxEndpoints, mirroringBatchPeriod);
    }

    /** Checks the values; see {@link ManagerFlags#check}. */
    void check() {
        ManagerFlags.checkSyncs("--concurrent-service-endpoint-syncs", syncs);
        ManagerFlags.checkSyncs("--mirroring-concurrent-service-endpoint-syncs", mirroringSyncs);
        try {
            config();
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "--max-endpoints-per-slice or --endpointslice-updates-batch-period: " + e.getMessage());
        }
        try {
            mirroring();
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "--mirroring-max-endpoints-per-subset or --mirroring-endpointslice-updates-batch-period: "
                            + e.getMessage());
        }
    }
}
