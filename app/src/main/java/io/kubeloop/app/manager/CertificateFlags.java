package io.kubeloop.app.manager;

import io.kubeloop.app.cli.DurationFlag;
import io.kubeloop.app.cli.UsageException;
import io.kubeloop.controller.certificates.BuiltInSigner;
import io.kubeloop.controller.certificates.CertificateAuthority;
import io.kubeloop.controller.certificates.CertificateAuthorityFiles;
import io.kubeloop.controller.certificates.SigningConfig;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The flags of the controller that signs certificates. The parser of the command line writes them; they do not change
 * afterwards.
 */
final class CertificateFlags {

    private static final String PREFIX = "--cluster-signing-";
    private static final String CERTIFICATE = "cert-file";
    private static final String KEY = "key-file";
    private static final String OF_CERTIFICATE = "PEM file with the CA certificate of ";
    private static final String OF_KEY = "PEM file with the private key, RSA or ECDSA, of ";
    private static final String ALL_SIGNERS =
            "all signers of kubernetes.io. Excludes the flags of single signers. Default: none, nothing is signed.";
    private static final String ONE_SIGNER = ". Excludes --cluster-signing-cert-file and --cluster-signing-key-file.";

    @CommandLine.Option(
            names = PREFIX + CERTIFICATE,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_CERTIFICATE + ALL_SIGNERS)
    private String certificate = "";

    @CommandLine.Option(
            names = PREFIX + KEY,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_KEY + ALL_SIGNERS)
    private String key = "";

    @CommandLine.Option(
            names = PREFIX + "kubelet-serving-" + CERTIFICATE,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_CERTIFICATE + "kubernetes.io/kubelet-serving" + ONE_SIGNER)
    private String kubeletServingCertificate = "";

    @CommandLine.Option(
            names = PREFIX + "kubelet-serving-" + KEY,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_KEY + "kubernetes.io/kubelet-serving" + ONE_SIGNER)
    private String kubeletServingKey = "";

    @CommandLine.Option(
            names = PREFIX + "kubelet-client-" + CERTIFICATE,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_CERTIFICATE + "kubernetes.io/kube-apiserver-client-kubelet" + ONE_SIGNER)
    private String kubeletClientCertificate = "";

    @CommandLine.Option(
            names = PREFIX + "kubelet-client-" + KEY,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_KEY + "kubernetes.io/kube-apiserver-client-kubelet" + ONE_SIGNER)
    private String kubeletClientKey = "";

    @CommandLine.Option(
            names = PREFIX + "kube-apiserver-client-" + CERTIFICATE,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_CERTIFICATE + "kubernetes.io/kube-apiserver-client" + ONE_SIGNER)
    private String apiServerClientCertificate = "";

    @CommandLine.Option(
            names = PREFIX + "kube-apiserver-client-" + KEY,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_KEY + "kubernetes.io/kube-apiserver-client" + ONE_SIGNER)
    private String apiServerClientKey = "";

    @CommandLine.Option(
            names = PREFIX + "legacy-unknown-" + CERTIFICATE,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_CERTIFICATE + "kubernetes.io/legacy-unknown" + ONE_SIGNER)
    private String legacyUnknownCertificate = "";

    @CommandLine.Option(
            names = PREFIX + "legacy-unknown-" + KEY,
            paramLabel = "FILE",
            defaultValue = "",
            description = OF_KEY + "kubernetes.io/legacy-unknown" + ONE_SIGNER)
    private String legacyUnknownKey = "";

    @CommandLine.Option(
            names = PREFIX + "duration",
            paramLabel = "DURATION",
            defaultValue = "8760h",
            converter = DurationFlag.class,
            description = "Longest lifetime of a signed certificate; a request may ask for less by "
                    + "spec.expirationSeconds. Default: ${DEFAULT-VALUE}.")
    private Duration duration = SigningConfig.YEAR;

    /** The files of one authority, and the middle of the names of their flags. */
    private record Files(String flag, String certificate, String key) {

        boolean isEmpty() {
            return certificate.isEmpty() && key.isEmpty();
        }

        boolean isComplete() {
            return !certificate.isEmpty() && !key.isEmpty();
        }
    }

    private Files ofAll() {
        return new Files("", certificate, key);
    }

    private Map<BuiltInSigner, Files> bySigner() {
        Map<BuiltInSigner, Files> files = new EnumMap<>(BuiltInSigner.class);
        files.put(
                BuiltInSigner.KUBELET_SERVING,
                new Files("kubelet-serving-", kubeletServingCertificate, kubeletServingKey));
        files.put(
                BuiltInSigner.KUBELET_CLIENT, new Files("kubelet-client-", kubeletClientCertificate, kubeletClientKey));
        files.put(
                BuiltInSigner.API_SERVER_CLIENT,
                new Files("kube-apiserver-client-", apiServerClientCertificate, apiServerClientKey));
        files.put(
                BuiltInSigner.LEGACY_UNKNOWN, new Files("legacy-unknown-", legacyUnknownCertificate, legacyUnknownKey));
        files.values().removeIf(Files::isEmpty);
        return files;
    }

    /** Checks the values; see {@link ManagerFlags#check}. */
    void check() {
        if (duration.isZero()) {
            throw new UsageException(PREFIX + "duration must be more than 0");
        }
        Map<BuiltInSigner, Files> single = bySigner();
        for (Files files : single.values()) {
            if (!files.isComplete()) {
                throw new UsageException(PREFIX + files.flag() + CERTIFICATE + " and " + PREFIX + files.flag() + KEY
                        + " require each other");
            }
        }
        if (!ofAll().isEmpty() && !single.isEmpty()) {
            throw new UsageException(
                    "cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the same"
                            + " time");
        }
    }

    /**
     * Reads the files. As upstream, nothing is signed if only one of {@code --cluster-signing-cert-file} and {@code
     * --cluster-signing-key-file} is given.
     *
     * @throws UsageException if a file cannot be read or has no usable content
     */
    SigningConfig read() {
        Map<BuiltInSigner, Supplier<CertificateAuthority>> authorities = new EnumMap<>(BuiltInSigner.class);
        if (ofAll().isComplete()) {
            authorities.putAll(SigningConfig.of(authority(ofAll())).authorities());
        }
        bySigner().forEach((signer, files) -> authorities.put(signer, authority(files)));
        return new SigningConfig(authorities, duration);
    }

    private static CertificateAuthorityFiles authority(Files files) {
        try {
            return CertificateAuthorityFiles.read(Path.of(files.certificate()), Path.of(files.key()));
        } catch (UncheckedIOException | IllegalArgumentException e) {
            throw new UsageException(PREFIX + files.flag() + CERTIFICATE + " " + files.certificate() + ", " + PREFIX
                    + files.flag() + KEY + " " + files.key() + ": " + e.getMessage());
        }
    }
}
