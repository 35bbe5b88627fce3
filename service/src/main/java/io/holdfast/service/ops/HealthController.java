package io.holdfast.service.ops;

import io.holdfast.http.Permitted;
import io.holdfast.service.runtime.ServiceStatus;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Hidden;
import java.util.List;

/**
 * Each thing that the service does, up (200) or down (503), beside {@code /health/readiness}.
 * Thread-safe.
 */
@Hidden // as health is: not of the interface for programs that score
@Controller("/health")
@Permitted(toAll = true)
final class HealthController {
  private final ServiceStatus status;

  HealthController(ServiceStatus status) {
    this.status = status;
  }

  /** Whether it does its work, and why not. */
  @Serdeable
  record PartHealth(String name, String status, List<String> reasons) {}

  /** Whether requests are answered by verified versions. */
  @Get("/rest")
  HttpResponse<PartHealth> rest() {
    return answer("rest", status.restAwaited());
  }

  /** Whether records of topics are scored. */
  @Get("/scoring")
  HttpResponse<PartHealth> scoring() {
    return answer("scoring", status.awaited());
  }

  /** Whether labels of topics are joined. */
  @Get("/joining")
  HttpResponse<PartHealth> joining() {
    return answer("joining", status.joinAwaited());
  }

  private static HttpResponse<PartHealth> answer(String name, List<String> awaited) {
    boolean up = awaited.isEmpty();
    return HttpResponse.<PartHealth>status(up ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .body(new PartHealth(name, up ? "UP" : "DOWN", awaited));
  }
}
