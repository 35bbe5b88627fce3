package io.holdfast.cli.demo;

/**
 * One simulated order; {@code minutes} is the label, and {@code rainMm} null where the gauge is
 * out.
 */
record Delivery(
    long number,
    String city,
    double distanceKm,
    int items,
    int hour,
    String vehicle,
    @org.jspecify.annotations.Nullable Double rainMm,
    double openOrders,
    double minutes) {

  String id() {
    return "order-" + number;
  }
}
