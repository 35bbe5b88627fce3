package io.holdfast.cli.demo;

/** A simulated order; {@code minutes} is the label, {@code rainMm} null where the gauge is out. */
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
