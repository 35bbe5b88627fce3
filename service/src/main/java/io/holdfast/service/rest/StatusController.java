package io.holdfast.service.rest;

import io.holdfast.service.runtime.ServiceStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** The service's health in one document, for the dashboard. Thread-safe. */
@Controller("/api/status")
public final class StatusController {
  private final ServiceStatus status;

  StatusController(ServiceStatus status) {
    this.status = status;
  }

  /** What lives and what is awaited. */
  @Get
  public StatusView status() {
    var failures = status.failures();
    var awaited = status.awaited();
    return new StatusView(
        failures.isEmpty(),
        awaited.isEmpty(),
        failures,
        awaited,
        status.degraded(),
        status.troubles().stream().map(StatusView.TroubleView::of).toList(),
        status.lags().entrySet().stream()
            .map(lag -> StatusView.LagView.of(lag.getKey(), lag.getValue()))
            .toList(),
        status.details());
  }
}
