package io.holdfast.service.rest;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;

/**
 * Whether the service lives and is ready.
 *
 * @param failures what is dead and only a restart mends, a sentence each
 * @param awaited what is waited for before records are scored, a sentence each
 * @param degraded what works and is not as it should be, a sentence each
 * @param parts parts of the service and their states
 */
@Serdeable
public record StatusView(
    boolean alive,
    boolean ready,
    List<String> failures,
    List<String> awaited,
    List<String> degraded,
    Map<String, String> parts) {}
