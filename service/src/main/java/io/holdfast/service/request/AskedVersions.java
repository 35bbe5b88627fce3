package io.holdfast.service.request;

import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.KnownVersion;
import io.holdfast.service.model.ServedModel;
import io.holdfast.service.model.ServedModels;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Models and versions by the names in a request, or the answer that this cannot be. Thread-safe.
 */
@Singleton
public final class AskedVersions {
  /** Versions that do not serve are laid out when they are asked for; so many stay. */
  private static final int KEPT = 8;

  private final ServedModels models;
  // Guarded by itself, by the order of their last use.
  private final Map<Key, ActiveModel> ready = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(String model, String hash, double gamma) {}

  /** A version to score by; {@code serves} is of the very one that scores the stream. */
  public record Asked(ServedModel of, ActiveModel active, boolean serves) {
    /** The name of the model. */
    public String model() {
      return of.settings().name();
    }
  }

  AskedVersions(ServedModels models) {
    this.models = models;
  }

  /** The model of that name. */
  public ServedModel model(String name) {
    return models
        .find(name)
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemKind.NO_SUCH_MODEL,
                    Sentence.of(
                        "there is no model %s; the configuration has %s",
                        name,
                        models.all().stream()
                            .map(model -> model.settings().name())
                            .collect(Collectors.joining(", ")))));
  }

  /**
   * The version to score by.
   *
   * @param version its number; null is the one that serves
   * @param gamma whose leaf values; null are those that the version scores with
   */
  public Asked find(String name, @Nullable Long version, @Nullable Double gamma) {
    ServedModel model = model(name);
    ServedModel.Serving serving = model.serving();
    if (serving == null) {
      throw new ProblemException(
          ProblemKind.NOT_READY,
          "model " + name + " has no verified version yet: ask again once the service is ready");
    }
    ActiveModel served = serving.model();
    LedgerVersion asked =
        version == null || version == served.number() ? served.version() : held(name, version);
    if (asked.hash().equals(served.version().hash())
        && (gamma == null || gamma == asked.servedGamma())) {
      return new Asked(model, served, true);
    }
    double wanted = gamma == null ? asked.servedGamma() : gamma;
    Key key = new Key(name, asked.hash().hex(), wanted);
    synchronized (ready) {
      ActiveModel known = ready.get(key);
      if (known == null) {
        known = new ActiveModel(at(asked, name, wanted));
        ready.put(key, known);
        if (ready.size() > KEPT) {
          ready.remove(ready.keySet().iterator().next());
        }
      }
      return new Asked(model, known, false);
    }
  }

  /** The numbers of the newest versions that the topic holds, newest first. */
  public List<Long> newest(String name, int most) {
    return models.versions(model(name).settings().name()).stream()
        .limit(most)
        .map(KnownVersion::number)
        .toList();
  }

  private static LedgerVersion at(LedgerVersion version, String name, double gamma) {
    return version
        .at(gamma)
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemKind.NO_SUCH_VERSION,
                    Sentence.of(
                        "version %d of model %s has no leaf values of gamma %s, but of %s",
                        version.number(), name, gamma, version.gammas())));
  }

  private LedgerVersion held(String name, long number) {
    try {
      return models.version(name, number);
    } catch (LedgerException e) {
      throw new ProblemException(
          e.reason() == LedgerException.Reason.MISSING_MANIFEST
              ? ProblemKind.NO_SUCH_VERSION
              : ProblemKind.VERSION_UNUSABLE,
          "" + e.getMessage());
    }
  }
}
