package io.holdfast.bench.robust;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.SimulatedStream;
import io.holdfast.boosting.simulate.StructuralStream;
import java.util.List;

/** Rows of structural equations under a shift of one strength. */
record StructuralRows(List<Feature> features, Rows rows) {
  static StructuralRows squared(int environments, double strength, long seed, int count) {
    return of(StructuralStream.regression(environments, row -> strength, seed), count);
  }

  static StructuralRows binary(int environments, double strength, long seed, int count) {
    return of(StructuralStream.binary(environments, row -> strength, seed), count);
  }

  private static StructuralRows of(SimulatedStream stream, int count) {
    Rows.Builder rows = Rows.builder(stream.features().size());
    for (int row = 0; row < count; row++) {
      SimulatedRow next = stream.next();
      rows.add(next.features(), next.label(), stream.environments().get(next.environment()));
    }
    return new StructuralRows(stream.features(), rows.build());
  }
}
