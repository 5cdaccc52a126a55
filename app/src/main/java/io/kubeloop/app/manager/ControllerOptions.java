package io.kubeloop.app.manager;

import io.kubeloop.controller.certificates.SigningConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * The options of single controllers, from the flags.
 *
 * @param endpointUpdatesBatchPeriod delay between a change of a pod and the sync of its Services, so that one sync
 *     covers several changes; default 0
 * @param syncs the number of objects that a controller syncs in parallel, by its short name
 * @param slices the options of the controllers of EndpointSlices
 * @param deletion the options of the controllers that delete objects
 * @param autoscaling the options of the controller of HorizontalPodAutoscalers
 * @param serviceAccounts the options of the controllers of service accounts
 * @param signing the authorities that sign certificates
 * @param rules the release whose objects are written; default {@link CompatibilityProfile#CURRENT}
 */
record ControllerOptions(
        Duration endpointUpdatesBatchPeriod,
        Map<String, Integer> syncs,
        SliceFlags slices,
        DeletionFlags deletion,
        AutoscalingFlags autoscaling,
        ServiceAccountFlags.Options serviceAccounts,
        SigningConfig signing,
        CompatibilityProfile rules) {

    /** The defaults of kube-controller-manager. */
    static final ControllerOptions DEFAULT = new ControllerOptions(
            Duration.ZERO,
            new ConcurrencyFlags().byController(),
            new SliceFlags(),
            new DeletionFlags(),
            new AutoscalingFlags(),
            ServiceAccountFlags.Options.DEFAULT,
            CertificateFlags.NONE,
            CompatibilityProfile.CURRENT);

    /** Returns the number of objects that the controller with this short name syncs in parallel. */
    int syncs(String controller) {
        return Objects.requireNonNull(syncs.get(controller), controller);
    }
}
