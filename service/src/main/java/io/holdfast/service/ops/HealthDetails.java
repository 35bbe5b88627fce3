package io.holdfast.service.ops;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;

/**
 * What a health indicator says beside up or down.
 *
 * @param reasons why it is down or degraded, a sentence each
 * @param parts the parts of the service and their states
 */
@Serdeable
public record HealthDetails(List<String> reasons, Map<String, String> parts) {}
