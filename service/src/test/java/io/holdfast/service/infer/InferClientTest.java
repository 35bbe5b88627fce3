package io.holdfast.service.infer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.service.HttpWorld;
import io.holdfast.service.KindsModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that was written from the public text of the protocol alone works. */
final class InferClientTest {
  @TempDir Path folder;

  @Test
  void clientOfThePublicText_scoresAndIsRefusedAsItSays() throws Exception {
    assumeTrue(hasPython(), "python3 is not there, which the client is written in");
    Path script = folder.resolve("client.py");
    try (InputStream in = InferClientTest.class.getResourceAsStream("client.py");
        HttpWorld world = new HttpWorld(KindsModel.SETTINGS, KindsModel.SCHEMA, Map.of())) {
      Files.copy(Objects.requireNonNull(in), script);
      world.ledger.head(
          world.ledger.publish(LedgerCodec.encode(world.ledger.draft(0, null, KindsModel.model()))),
          HeadReason.INITIAL);

      Process client =
          new ProcessBuilder(
                  "python3", script.toString(), world.url("/").toString(), world.settings.name())
              .redirectErrorStream(true)
              .start();
      String said = new String(client.getInputStream().readAllBytes(), UTF_8);

      assertThat(client.waitFor()).as(said).isZero();
      assertThat(said).isEqualToIgnoringNewLines("all as the protocol says\n");
    }
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
