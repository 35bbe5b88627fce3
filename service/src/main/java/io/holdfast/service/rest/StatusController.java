package io.holdfast.service.rest;

import io.holdfast.service.label.OutcomeMeters;
import io.holdfast.service.ops.AnswersProblems;
import io.holdfast.service.runtime.ServiceStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.Comparator;
import java.util.List;

/** The service's health in one document, for the dashboard. Thread-safe. */
@AnswersProblems
@Controller("/api/v1/status")
public final class StatusController {
  private final ServiceStatus status;
  private final MeterRegistry meters;

  StatusController(ServiceStatus status, MeterRegistry meters) {
    this.status = status;
    this.meters = meters;
  }

  /** What lives and what is awaited. */
  @Get
  public StatusView status() {
    List<String> failures = status.failures();
    List<String> awaited = status.awaited();
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
        pending(),
        status.details());
  }

  private List<StatusView.PendingView> pending() {
    return ModelMeters.all(meters).entrySet().stream()
        .flatMap(
            model -> {
              ModelMeters its = model.getValue();
              long labels =
                  its.gauges(OutcomeMeters.LABELS_PENDING)
                      .mapToLong(each -> (long) each.value())
                      .sum();
              return its.gauges(OutcomeMeters.RECORDS_PENDING)
                  .map(
                      gauge ->
                          new StatusView.PendingView(model.getKey(), (long) gauge.value(), labels));
            })
        .sorted(Comparator.comparing(StatusView.PendingView::model))
        .toList();
  }
}
