package io.kubeloop.app;

import picocli.CommandLine;

/** Gives commands that run until they are told to stop the signal that tells them. */
final class CommandFactory implements CommandLine.IFactory {

    private final ShutdownSignal signal;
    private final CommandLine.IFactory fallback = CommandLine.defaultFactory();

    CommandFactory(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        if (type == DemoCommand.class) {
            return type.cast(new DemoCommand(signal));
        }
        if (type == ApiServerCommand.class) {
            return type.cast(new ApiServerCommand(signal));
        }
        if (type == ControllerManagerCommand.class) {
            return type.cast(new ControllerManagerCommand(signal));
        }
        if (type == KubeletCommand.class) {
            return type.cast(new KubeletCommand(signal));
        }
        return fallback.create(type);
    }
}
