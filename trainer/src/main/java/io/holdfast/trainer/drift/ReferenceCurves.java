package io.holdfast.trainer.drift;

import io.holdfast.schemas.reference.DistributionSketch;
import io.holdfast.schemas.reference.EnvironmentReference;
import io.holdfast.schemas.reference.TrainingReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distribution functions of a reference, in all and by environment, made on demand. Owned by
 * the training thread.
 */
public final class ReferenceCurves {
  private final TrainingReference sketches;
  private final Map<String, List<ReferenceDistribution>> byEnvironment = new HashMap<>();
  private @Nullable List<ReferenceDistribution> pooled;

  public ReferenceCurves(TrainingReference sketches) {
    this.sketches = sketches;
  }

  public TrainingReference sketches() {
    return sketches;
  }

  /** Of each feature and of the label, over the rows of all environments. */
  List<ReferenceDistribution> pooled() {
    if (pooled == null) {
      List<ReferenceDistribution> curves = new ArrayList<>();
      for (int quantity = 0; quantity < sketches.quantities(); quantity++) {
        int of = quantity;
        List<DistributionSketch> parts =
            sketches.parts().stream().map(part -> part.quantities().get(of)).toList();
        DistributionSketch all =
            parts.size() == 1 ? parts.getFirst() : Sketches.merged(parts, Sketches.FINEST);
        curves.add(new ReferenceDistribution(all, sketches.rows()));
      }
      pooled = List.copyOf(curves);
    }
    return pooled;
  }

  /** How many rows an environment's own part has. */
  long rows(String environment) {
    EnvironmentReference part = part(environment);
    return part == null ? 0 : part.rows();
  }

  /** Of each feature and of the label, over an environment's part; empty if it has none. */
  List<ReferenceDistribution> of(String environment) {
    return byEnvironment.computeIfAbsent(
        environment,
        name -> {
          EnvironmentReference part = part(name);
          return part == null
              ? List.of()
              : part.quantities().stream()
                  .map(quantity -> new ReferenceDistribution(quantity, part.rows()))
                  .toList();
        });
  }

  private @Nullable EnvironmentReference part(String environment) {
    return sketches.parts().stream()
        .filter(part -> environment.equals(part.environment()))
        .findFirst()
        .orElse(null);
  }
}
