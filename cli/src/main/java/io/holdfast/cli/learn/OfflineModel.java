package io.holdfast.cli.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.Fit;
import io.holdfast.cli.coverage.OfflineUncertainty;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
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
      OutputFile file, OfflineFit fitted, DataSource source, String programVersion)
      throws IOException {
    var settings = fitted.settings();
    var untrained = Booster.untrained(settings.booster(), fitted.model().features());
    String json = settings.trainingJson();
    LedgerCodec.Encoded first =
        LedgerCodec.encode(
            LedgerCodec.Draft.first(
                settings.name(),
                untrained,
                settings.booster().gamma(),
                settings.booster().seed(),
                json,
                programVersion));
    OfflineUncertainty.Learned sure = fitted.sure();
    LedgerCodec.Encoded trained =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                    settings.name(),
                    1,
                    first.version(),
                    fitted.model(),
                    settings.booster().gamma(),
                    List.of(window(source, fitted.training())),
                    List.of(),
                    fitted.training().rows().environments(),
                    settings.booster().seed(),
                    json,
                    metrics(fitted),
                    programVersion)
                .withLadder(settings.booster().gamma(), fitted.rungs(), settings.strength().serve())
                .withUncertainty(sure.uncertainty())
                .withCalibration(sure.calibration()));
    return write(file, first.records(), trained, "holdfast fit");
  }

  private static OffsetRange window(DataSource source, FileRows rows) {
    return new OffsetRange(source.label(), 0, 0L, rows.rowsRead());
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

  /** Writes a refitted model as the version after those of the file that it comes from. */
  public static LedgerVersion write(
      OutputFile file, OfflineRefit refit, Path from, DataSource source, String programVersion)
      throws IOException {
    ModelFile.Content content = content(from);
    LedgerVersion parent = refit.from();
    LedgerCodec.Encoded refitted =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                    parent.manifest().getModel(),
                    content.newest() + 1,
                    parent,
                    refit.model(),
                    refit.gamma(),
                    List.of(window(source, refit.training())),
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
    List<LedgerRecord> before = new ArrayList<>(content.records());
    before.removeIf(record -> record.key() instanceof LedgerKey.HeadKey);
    return write(file, before, refitted, "holdfast refit");
  }

  /** Writes a version after others, as the one that serves. */
  public static LedgerVersion write(
      OutputFile file, List<LedgerRecord> before, LedgerCodec.Encoded made, String by)
      throws IOException {
    List<LedgerRecord> records = new ArrayList<>(before);
    records.addAll(made.records());
    // The same data and flags give the same bytes, so there is no time in the file.
    records.add(
        LedgerCodec.encode(
            LedgerCodec.head(made.version(), HeadReason.TRAINED, by, "", Instant.EPOCH)));
    ModelFile.write(file, records);
    return made.version();
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
