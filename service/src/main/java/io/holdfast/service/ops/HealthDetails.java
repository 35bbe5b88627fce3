package io.holdfast.service.ops;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;

/** What a health indicator says beside up or down: why, and the parts of the service. */
@Serdeable
public record HealthDetails(List<String> reasons, Map<String, String> parts) {}
