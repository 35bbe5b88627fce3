package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliRun;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.SchemaFile;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code doctor} says of records whose schema changes while a version serves. */
class DoctorIT {
  @TempDir Path folder;

  @Test
  void feature_thatTheNewestSchemaLacks_isNamed_untilAnAliasHasIt() throws Exception {
    try (ModelsOnTopic at = new ModelsOnTopic(folder)) {
      LedgerVersion version = at.begin();
      at.serve(version);
      assertThat(at.doctor().exitCode()).isZero();

      at.register(SchemaFile.parse(ride("distance", "")));
      CliRun ill = at.doctor();
      assertThat(ill.exitCode()).isEqualTo(1);
      assertThat(ill.err())
          .contains(
              "model bikes: version 0 reads x, which the newest schema Ride of topic bikes.records"
                  + " lacks",
              "scored as if they had no value there",
              "as aliases");

      at.register(SchemaFile.parse(ride("distance", "\"x\"")));
      CliRun well = at.doctor();
      assertThat(well.exitCode()).as(well.err()).isZero();

      String tags = ", {\"name\": \"tags\", \"type\": {\"type\": \"array\", \"items\": \"int\"}}]";
      at.register(SchemaFile.parse(ride("x", "").replaceFirst("]}\\s*$", tags + "}")));
      assertThat(at.doctor().err())
          .contains(
              "model bikes: fields of the newest schema Ride of topic bikes.records are left out",
              "tags (array)",
              "features.exclude");
    }
  }

  private static String ride(String name, String aliases) {
    return String.format(
        Locale.ROOT,
        """
        {"type": "record", "name": "Ride", "fields": [
          {"name": "%s", "type": ["null", "double"], "aliases": [%s]},
          {"name": "kind", "type": "string"},
          {"name": "count", "type": ["null", "double"]}]}
        """,
        name,
        aliases);
  }
}
