package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.LongVector;

/** How wide this machine's vectors are. To be loaded only where the incubator module is. */
final class VectorWidth {
  private VectorWidth() {}

  static int bits() {
    return LongVector.SPECIES_PREFERRED.vectorBitSize();
  }
}
