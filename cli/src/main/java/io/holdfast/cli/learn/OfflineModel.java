package io.holdfast.cli.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.Fit;
import io.holdfast.cli.data.DataException;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.ledger.ModelFileException;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Model files of {@code fit}, {@code refit}, {@code score} and {@code explain}. Stateless. */
public final class OfflineModel {
  private OfflineModel() {}

  /** Writes a fitted model as version 1, grown from the untrained version 0. */
  public static LedgerVersion write(
      OutputFile file, OfflineFit fitted, Path source, String programVersion) throws IOException {
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
    var window =
        new OffsetRange("file:" + source.getFileName(), 0, 0L, fitted.training().rowsRead());
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
                    programVersion)
                .withLadder(
                    settings.booster().gamma(), fitted.rungs(), settings.strength().serve()));
    List<LedgerRecord> records = new ArrayList<>(first.records());
    records.addAll(trained.records());
    records.add(head(trained.version(), "holdfast fit"));
    ModelFile.write(file, records);
    return trained.version();
  }

  private static Map<String, Double> metrics(OfflineFit fitted) {
    Fit fit = fitted.fit();
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("rows", (double) fitted.training().rows().size());
    metrics.put("anchorLossBefore", fit.losses().getFirst().total());
    metrics.put("anchorLossAfter", fit.losses().get(fit.bestRound()).total());
    if (!fit.validationLosses().isEmpty()) {
      metrics.put("bestRound", (double) fit.bestRound());
      metrics.put("validationLoss", fit.validationLosses().get(fit.bestRound()));
    }
    return metrics;
  }

  /**
   * Writes a refitted model as the version after those of the file that it comes from, which stay.
   */
  public static LedgerVersion write(
      OutputFile file, OfflineRefit refit, Path from, Path source, String programVersion)
      throws IOException {
    ModelFile.Content content = content(from);
    LedgerVersion parent = refit.from();
    long rows = refit.training().rowsRead();
    var window = new OffsetRange("file:" + source.getFileName(), 0, 0L, rows);
    LedgerCodec.Encoded refitted =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                    parent.manifest().getModel(),
                    content.newest() + 1,
                    parent,
                    refit.model(),
                    refit.gamma(),
                    List.of(window),
                    List.of(),
                    refit.training().rows().environments(),
                    parent.manifest().getSeed(),
                    parent.manifest().getSettings(),
                    Map.of(
                        "rows", (double) refit.training().rows().size(),
                        "refitDecay", refit.decay(),
                        "lossBefore", refit.before().loss(),
                        "lossAfter", refit.after().loss()),
                    programVersion)
                .withKept(parent.kept()));
    List<LedgerRecord> records = new ArrayList<>(content.records());
    records.removeIf(record -> record.key() instanceof LedgerKey.HeadKey);
    records.addAll(refitted.records());
    records.add(head(refitted.version(), "holdfast refit"));
    ModelFile.write(file, records);
    return refitted.version();
  }

  /** Writes a version that grew from no other, as the one that serves. */
  public static void write(OutputFile file, LedgerCodec.Encoded first, String by)
      throws IOException {
    List<LedgerRecord> records = new ArrayList<>(first.records());
    records.add(head(first.version(), by));
    ModelFile.write(file, records);
  }

  /** The same data and flags give the same bytes, so there is no time in the file. */
  private static LedgerRecord head(LedgerVersion version, String by) {
    return LedgerCodec.encode(LedgerCodec.head(version, HeadReason.TRAINED, by, "", Instant.EPOCH));
  }

  /** Reads the version that serves; throws DataException if the file cannot be verified. */
  public static LedgerVersion read(Path file) {
    return content(file).serving();
  }

  private static ModelFile.Content content(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new DataException("there is no model file %s: make one with holdfast fit --out", file);
    }
    try {
      return ModelFile.readAll(file);
    } catch (ModelFileException e) {
      throw new DataException("%s", e.getMessage());
    }
  }
}
