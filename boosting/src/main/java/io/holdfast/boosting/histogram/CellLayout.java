package io.holdfast.boosting.histogram;

/**
 * The fields of a histogram cell that is one long. Immutable.
 *
 * <pre>gradient, signed | hessian, hessianBits | rows, countBits</pre>
 *
 * <p>Cells are added and subtracted as they are: no field overflows into the next as long as each
 * row is added once.
 *
 * @param countBits enough for the number of rows
 * @param hessianBits enough for the sum of all hessians; 0 if all are equal and the count is used
 * @param gradientUnit one step of the gradient field, a power of two
 * @param hessianUnit one step of the hessian field, or the hessian of each row
 */
public record CellLayout(int countBits, int hessianBits, double gradientUnit, double hessianUnit) {

  public int gradientShift() {
    return countBits + hessianBits;
  }

  public int hessianShift() {
    return hessianBits == 0 ? 0 : countBits;
  }

  /** No sum of gradients has more units. */
  public double mostGradient() {
    int factor = hessianBits == 0 ? countBits : hessianBits; // bits of what it is multiplied by
    int field = Long.SIZE - 1 - gradientShift(); // and a sign
    return Math.scalb(1.0, Math.min(field, QuantisedGradients.EXACT_BITS - factor));
  }

  public long countMask() {
    return (1L << countBits) - 1;
  }

  public long hessianMask() {
    return hessianBits == 0 ? countMask() : (1L << hessianBits) - 1;
  }

  public int count(long cell) {
    return (int) (cell & countMask());
  }

  public double gradient(long cell) {
    return (cell >> gradientShift()) * gradientUnit;
  }

  public double hessian(long cell) {
    return (cell >>> hessianShift() & hessianMask()) * hessianUnit;
  }
}
