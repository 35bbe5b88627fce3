package io.holdfast.schemas.ledger;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A version that differs from the tip in which rung scores, and in nothing else: it names the same
 * segments, and learned from no rows. So a score is a function of the record and of the version's
 * hash, whichever rung serves. Stateless.
 */
public final class RungVersion {
  private RungVersion() {}

  /** The version that scores with another rung, or a LedgerException if there is no such rung. */
  public static LedgerCodec.Encoded of(Ledger ledger, ModelHead head, double gamma)
      throws LedgerException {
    String model = head.getModel();
    Optional<LedgerVersion> found = ledger.tip(model);
    if (found.isEmpty()) {
      throw Reason.REFUSED.because("model %s has no version that can be verified", model);
    }
    LedgerVersion tip = found.get();
    double own = tip.manifest().getGamma();
    if (gamma == tip.servedGamma()) {
      throw Reason.REFUSED.because(
          "version %d of %s scores with gamma %s already", tip.number(), model, gamma);
    }
    if (gamma != own && tip.rungs().stream().noneMatch(rung -> rung.gamma() == gamma)) {
      throw Reason.REFUSED.because(
          "version %d of %s has no rung of gamma %s, but of %s",
          tip.number(),
          model,
          gamma,
          tip.gammas().stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
    List<ModelManifest> versions = ledger.versions(model);
    ModelManifest manifest = tip.manifest();
    LedgerCodec.Draft draft =
        new LedgerCodec.Draft(
            model,
            versions.getLast().getVersion() + 1,
            tip,
            tip.grown(),
            own,
            List.of(),
            List.of(),
            manifest.getEnvironments(),
            manifest.getSeed(),
            manifest.getSettings(),
            manifest.getMetrics(),
            manifest.getProgramVersion());
    return LedgerCodec.encode(
        draft
            .withLadder(own, tip.engineRungs(), gamma == own ? null : (Double) gamma)
            .withKept(tip.kept())
            .withUncertainty(tip.uncertainty())
            .withCalibration(tip.calibration()));
  }
}
