package io.holdfast.service;

import io.holdfast.service.lookup.RecordLookup;
import java.time.Instant;

/** A stream of which the record "ride-7" and its label are known. */
final class StandInLookup implements RecordLookup {
  @Override
  public Found find(String model, String key) {
    if (!key.equals("ride-7")) {
      return new Found(null, null, 20_000);
    }
    String record = "{\"temperature\": 25, \"season\": \"SUMMER\"}";
    return new Found(
        new Sighting(model + ".records", 1, 4_711, Instant.EPOCH, record, null),
        new Sighting(model + ".labels", 0, 815, Instant.EPOCH, "{\"count\": 21}", null),
        20_000);
  }
}
