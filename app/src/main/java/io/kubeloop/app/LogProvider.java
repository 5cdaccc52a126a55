/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import io.kubeloop.command.log.Logs;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Makes {@link Logs} the backend of SLF4J, which finds this class by its service file. */
public final class LogProvider implements SLF4JServiceProvider {

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    /** Creates the provider, for SLF4J. */
    public LogProvider() {}

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Logs.factory();
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}
}
