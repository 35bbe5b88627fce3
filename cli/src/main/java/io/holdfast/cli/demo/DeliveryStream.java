package io.holdfast.cli.demo;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Deliveries that depend on something nobody measures. Row {@code i} depends on the seed and i
 * only, so any part of the stream can be had in any order. Immutable.
 */
final class DeliveryStream {
  /*
   * A structural equation model with anchor A, hidden confounder H and drift, the case that the
   * anchor objective is made for (docs/math.md, section 2):
   *
   *   A         = direction(city) * strength(i)          the environment's shift, growing in time
   *   H         = 0.8 A + noise                          traffic, never in the record
   *   openOrders= 10 + 3 H + 1.5 A + noise               a symptom of H whose meaning shifts with A
   *   minutes   = 8 + pace(vehicle) * distance + 1.5 items + rush(hour) + 0.8 rain + 4 H + noise
   *
   * A model that leans on openOrders is right within a city and wrong between cities, the more so
   * the stronger the shift. Strength goes from 0.5 to 3 over 25,000 rows, and back.
   */
  static final List<String> CITIES =
      List.of("Aarhus", "Bergen", "Coimbra", "Delft", "Evora", "Florence");

  private static final double[] DIRECTIONS = {-1, -0.6, -0.2, 0.2, 0.6, 1};
  private static final String[] VEHICLES = {"BIKE", "SCOOTER", "CAR"};
  private static final double[] MINUTES_PER_KM = {3.2, 2.2, 2.6};
  private static final int SWING_ROWS = 25_000;
  private static final int ROWS_PER_HOUR = 400;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final long seed;

  DeliveryStream(long seed) {
    this.seed = seed;
  }

  static double strength(long number) {
    return 1.75 - 1.25 * Math.cos(Math.PI * number / SWING_ROWS);
  }

  Delivery row(long number) {
    var random = new SplittableRandom(mix(seed, number));
    int city = random.nextInt(CITIES.size());
    double shift = DIRECTIONS[city] * strength(number);
    double traffic = 0.8 * shift + random.nextGaussian();
    double distance = Math.exp(0.9 + 0.5 * random.nextGaussian());
    int items = 1 + (int) Math.min(9, random.nextExponential() * 2);
    int hour = (int) (number / ROWS_PER_HOUR + 11) % 24;
    int vehicle = random.nextInt(VEHICLES.length);
    double rain = Math.max(0, random.nextGaussian(-0.5, 1.5));
    double openOrders = 10 + 3 * traffic + 1.5 * shift + random.nextGaussian();
    boolean rush = hour >= 18 && hour < 21;
    double minutes =
        8
            + MINUTES_PER_KM[vehicle] * distance
            + 1.5 * items
            + (rush ? 3 : 0)
            + 0.8 * rain
            + 4 * traffic
            + 1.5 * random.nextGaussian();
    boolean gaugeOut = random.nextInt(20) == 0;
    return new Delivery(
        number,
        CITIES.get(city),
        distance,
        items,
        hour,
        VEHICLES[vehicle],
        gaugeOut ? null : rain,
        openOrders,
        minutes);
  }

  /** How many rows after row {@code number} its label arrives; -1 if it never does. */
  int labelDelay(long number) {
    var random = new SplittableRandom(mix(~seed, number));
    return random.nextInt(50) == 0 ? -1 : 20 + (int) Math.min(380, random.nextExponential() * 60);
  }

  /** Hashed, not added: neighbouring seeds of the generator would give shifted streams. */
  private static long mix(long seed, long number) {
    long z = seed * GOLDEN ^ (number + GOLDEN);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
