package io.holdfast.cli.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.Fit;
import io.holdfast.cli.data.DataException;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.ledger.LedgerCodec;
import io.holdfast.schemas.ledger.LedgerRecord;
import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.ledger.ModelFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The model file between the commands {@code fit}, {@code score} and {@code explain}. Stateless.
 */
public final class OfflineModel {
  private OfflineModel() {}

  /**
   * Writes a fitted model as version 1, grown from the untrained version 0.
   *
   * @param source what it was fitted to, for the manifest
   * @return the version as it stands in the file
   */
  public static LedgerVersion write(
      Path file, OfflineFit fitted, Path source, String programVersion, InstantSource time)
      throws IOException {
    var settings = fitted.settings();
    var untrained = Booster.untrained(settings.booster(), fitted.model().features());
    String json = settings.trainingJson();
    LedgerCodec.Encoded first =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                settings.name(),
                0,
                null,
                untrained,
                settings.booster().gamma(),
                List.of(),
                List.of(),
                List.of(),
                settings.booster().seed(),
                json,
                Map.of(),
                programVersion));
    var window = new OffsetRange("file:" + source.getFileName(), 0, 0L, fitted.rowsRead());
    LedgerCodec.Encoded trained =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                settings.name(),
                1,
                first.version(),
                fitted.model(),
                settings.booster().gamma(),
                List.of(window),
                List.of(),
                fitted.training().rows().environments(),
                settings.booster().seed(),
                json,
                metrics(fitted),
                programVersion));
    List<LedgerRecord> records = new ArrayList<>(first.records());
    records.addAll(trained.records());
    records.add(LedgerCodec.encode(head(trained.version(), time)));
    ModelFile.write(file, records);
    return trained.version();
  }

  private static Map<String, Double> metrics(OfflineFit fitted) {
    Fit fit = fitted.fit();
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("rows", (double) fitted.training().rows().size());
    metrics.put("anchorLossBefore", fit.losses().getFirst().total());
    metrics.put("anchorLossAfter", fit.losses().getLast().total());
    return metrics;
  }

  private static ModelHead head(LedgerVersion version, InstantSource time) {
    return ModelHead.newBuilder()
        .setFormat(1)
        .setModel(version.manifest().getModel())
        .setVersion(version.number())
        .setHash(new Sha256Digest(version.hash().bytes()))
        .setShadowVersion(null)
        .setReason(HeadReason.TRAINED)
        .setBy("holdfast fit")
        .setNote("")
        .setAt(time.instant())
        .build();
  }

  /**
   * Reads the version that serves.
   *
   * @throws DataException if the file is no model file, or what it holds cannot be verified
   */
  public static LedgerVersion read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new DataException("there is no model file %s: make one with holdfast fit --out", file);
    }
    try {
      return ModelFile.read(file);
    } catch (ModelFileException e) {
      throw new DataException("%s", e.getMessage());
    }
  }
}
