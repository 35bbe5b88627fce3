package io.holdfast.cli.demo;

/**
 * One simulated order and what came of it.
 *
 * @param rainMm null where the gauge is out
 * @param minutes how long it took: the label
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
