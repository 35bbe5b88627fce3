package io.holdfast.boosting.tree;

/**
 * How a histogram cell's gradient sum, hessian sum and number of rows stand in one long.
 *
 * <pre>gradient, signed | hessian, hessianBits | rows, countBits</pre>
 *
 * <p>Cells add up and are subtracted as they are. No field runs into the next, whatever rows are
 * added up, as long as each is added once. Immutable.
 *
 * @param countBits enough for the number of rows
 * @param hessianBits enough for the sum of all hessians; 0 if all are the same, so that the number
 *     of rows is the sum
 * @param gradientUnit what one step of the gradient field is, a power of two
 * @param hessianUnit what one step of the hessian field is, or all rows' hessian
 */
record PackedLayout(int countBits, int hessianBits, double gradientUnit, double hessianUnit) {

  int gradientShift() {
    return countBits + hessianBits;
  }

  int hessianShift() {
    return hessianBits == 0 ? 0 : countBits;
  }

  /** No sum of gradients has more units. */
  double mostGradient() {
    int factor = hessianBits == 0 ? countBits : hessianBits; // bits of what it is multiplied by
    int field = Long.SIZE - 1 - gradientShift(); // and a sign
    return Math.scalb(1.0, Math.min(field, PackedDerivatives.EXACT_BITS - factor));
  }

  long countMask() {
    return (1L << countBits) - 1;
  }

  long hessianMask() {
    return hessianBits == 0 ? countMask() : (1L << hessianBits) - 1;
  }

  int count(long cell) {
    return (int) (cell & countMask());
  }

  double gradient(long cell) {
    return (cell >> gradientShift()) * gradientUnit;
  }

  double hessian(long cell) {
    return (cell >>> hessianShift() & hessianMask()) * hessianUnit;
  }
}
