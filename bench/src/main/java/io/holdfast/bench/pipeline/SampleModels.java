package io.holdfast.bench.pipeline;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.service.model.ActiveModel;
import java.util.List;
import java.util.Map;

/** Verified versions of ensembles trained on generated rows, 31 leaves a tree. */
final class SampleModels {
  private SampleModels() {}

  static ActiveModel active(String name, List<Feature> features, Rows rows, int trees) {
    var settings =
        BoosterSettings.builder(Objective.named("squared"))
            .gamma(1)
            .rounds(Math.max(1, trees))
            .learningRate(0.1)
            .trees(new TreeLimits(31, 64, 20, 1e-3, 0))
            .penalties(Penalties.ridge(0))
            .maxBins(255)
            .seed(1)
            .build();
    Model model = Booster.untrained(settings, features);
    if (trees > 0) {
      model = new Booster(settings).extend(model, features, rows, FitListener.NONE).model();
    }
    ModelManifest manifest =
        ModelManifest.newBuilder()
            .setFormat(1)
            .setModel(name)
            .setVersion(1)
            .setParentHash(null)
            .setObjective("squared")
            .setObjectiveParameters(Map.of())
            .setGamma(1)
            .setBase(List.of(0.0))
            .setFeatures(
                features.stream()
                    .map(feature -> new ManifestFeature(feature.name(), false, List.of()))
                    .toList())
            .setSegments(List.of())
            .setWindow(List.of())
            .setMemory(List.of())
            .setEnvironments(List.of())
            .setSeed(1)
            .setSettings("{}")
            .setMetrics(Map.of())
            .setProgramVersion("bench")
            .setLinear(List.of())
            .setReplay(List.of())
            .setHeldOut(0)
            .setRungs(List.of())
            .build();
    Digest hash = Digest.of(new ContractCodec<>(ModelManifest.class).encodeBody(manifest));
    return new ActiveModel(new LedgerVersion(manifest, hash, List.of(), model));
  }
}
