package io.holdfast.service.rest;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Numbers as JSON can hold them: what is not finite is null. */
final class Figures {
  private Figures() {}

  static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  static Map<String, @Nullable Double> finite(Map<String, Double> values) {
    Map<String, @Nullable Double> finite = new LinkedHashMap<>();
    new TreeMap<>(values).forEach((name, value) -> finite.put(name, finite(value)));
    return finite;
  }
}
