package io.holdfast.service.model;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.EnvironmentReader;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.ledger.RecordDecoders;
import io.holdfast.schemas.settings.ModelSettings.Absent;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.FieldAliases;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A verified version made ready to score. Immutable but for its cache of decoders and for how its
 * trees are laid out, on which no bit of a score depends; safe to share.
 *
 * <p>The cache is bounded by the number of schemas that the schema source knows.
 */
public final class ActiveModel {
  private final LedgerVersion version;
  private final Model model; // the version's that scores: looking it up would cost each record
  private final Objective objective;
  private final ClassLabels classes;
  private volatile Scorer scorer;
  private final byte[] hashBytes;
  private final FeatureWatch watch;
  private final int[] categorical; // places of the features that have categories
  private final FeatureWatch.Column[] columns; // of these
  private final RecordDecoders decoders;
  private final @Nullable Scorer spreads; // of the version's model of spreads, if it has one
  private final @Nullable EnvironmentReader environments; // null if it does not say how sure it is

  /** A version of whose records nobody is told what they lack. */
  public ActiveModel(LedgerVersion version) {
    this(
        version,
        new FeatureWatch(
            version.manifest().getModel(), Absent.SERVE, new CompositeMeterRegistry()));
  }

  /** Lays the version's trees out for scoring; {@code watch} is told of what records lack. */
  public ActiveModel(LedgerVersion version, FeatureWatch watch) {
    this(version, Scorer.of(version.model()), watch);
  }

  private ActiveModel(LedgerVersion version, Scorer scorer, FeatureWatch watch) {
    this.version = version;
    this.decoders = new RecordDecoders(version, this::unseen);
    this.model = version.model();
    this.objective = version.objective();
    this.classes = version.classes();
    this.scorer = scorer;
    this.hashBytes = version.hash().bytes();
    this.watch = watch;
    Uncertainty uncertainty = version.uncertainty();
    this.spreads =
        uncertainty == null || uncertainty.spreads() == null
            ? null
            : Scorer.of(uncertainty.spreads());
    this.environments = uncertainty == null ? null : new EnvironmentReader(version.environment());
    List<Feature> features = model.features();
    boolean constant = model.trees() == 0 && model.base().terms().isEmpty();
    this.categorical =
        IntStream.range(0, constant ? 0 : features.size()) // nothing was learned of any category
            .filter(slot -> features.get(slot) instanceof Feature.Categorical)
            .toArray();
    this.columns =
        IntStream.of(categorical)
            .mapToObj(slot -> watch.column(features.get(slot).name()))
            .toArray(FeatureWatch.Column[]::new);
  }

  /**
   * The same, ready sooner where the trees are mostly those of {@code before}: {@link #settle} is
   * to be called when there is time.
   */
  static ActiveModel following(LedgerVersion version, ActiveModel before) {
    return new ActiveModel(
        version,
        Scorer.following(version.model(), before.version().model(), before.scorer()),
        before.watch);
  }

  /** Lays the trees out as a whole, if they are not. Of the thread that made it. */
  void settle() {
    Scorer settled = scorer.settled();
    if (!settled.equals(scorer)) {
      scorer = settled;
    }
  }

  public LedgerVersion version() {
    return version;
  }

  public long number() {
    return version.number();
  }

  public Scorer scorer() {
    return scorer;
  }

  /** What its scores mean, with probabilities corrected if they are. */
  public Objective objective() {
    return objective;
  }

  /** Its classes by name, if they have names. */
  public ClassLabels classes() {
    return classes;
  }

  /**
   * Works out where labels are promised to be, for one thread; null if the version does not say.
   */
  public @Nullable RowBounds bounds() {
    Uncertainty uncertainty = version.uncertainty();
    return uncertainty == null ? null : new RowBounds(uncertainty, objective, spreads);
  }

  /**
   * Which environment a record is of to a version that says how sure it is; null if the record does
   * not say.
   */
  public @Nullable String environment(Schema schema, byte[] bytes, int from) {
    return environments == null ? null : environments.of(schema, bytes, from);
  }

  /** How many values of a row are beyond what the linear base learned from. */
  public int clipped(double[] features) {
    return model.base().clipped(features);
  }

  public int width() {
    return model.features().size();
  }

  public String name() {
    return version.manifest().getModel();
  }

  /** The manifest hash's 32 bytes, a copy. */
  public byte[] hashBytes() {
    return hashBytes.clone();
  }

  /** The decoder of bodies written with {@code schema}, compiled on its first use. */
  public FeatureDecoder decoder(Schema schema) throws MalformedRecordException {
    return decoders.of(schema);
  }

  /** The features that a schema lacks, which one that is read can be asked for. */
  public List<String> absent(Schema schema) {
    try {
      return decoder(schema).absent();
    } catch (MalformedRecordException e) {
      throw new IllegalArgumentException("no records of it can be read", e);
    }
  }

  /** Refuses records of a schema that lacks a feature, if that is not allowed. */
  public void checkPresent(FeatureDecoder decoder, Schema schema) throws MalformedRecordException {
    if (!decoder.absent().isEmpty()) {
      String fault = watch.fault(schema.getFullName(), decoder.absent());
      if (fault != null) {
        throw new MalformedRecordException(Reason.INCOMPATIBLE_SCHEMA, fault);
      }
    }
  }

  FeatureWatch watch() {
    return watch;
  }

  /** The places of the features that have categories; never to be changed. */
  int[] categorical() {
    return categorical;
  }

  /** What is counted of the i-th of them. */
  FeatureWatch.Column column(int i) {
    return columns[i];
  }

  /** So many records came without a value at a place. */
  void missing(int slot, long count) {
    watch.missing(model.features().get(slot).name(), count);
  }

  /** What is counted of the numbers of the feature at a place that are rounded. */
  FeatureWatch.Column rounded(int slot) {
    return watch.rounded(model.features().get(slot).name());
  }

  /** The features, of those in a vector, whose category the version has never seen. */
  public List<String> unseen(double[] features) {
    return IntStream.of(categorical)
        .filter(slot -> FeatureDecoder.isUnseen(features[slot]))
        .mapToObj(slot -> ColumnName.of(model.features().get(slot).name()))
        .toList();
  }

  /** The numeric features that are read from any of the fields at some paths of a schema. */
  public List<String> numericAmong(List<String> paths, Schema schema) {
    return paths.isEmpty()
        ? List.of()
        : model.features().stream()
            .filter(Feature.Numeric.class::isInstance)
            .map(Feature::name)
            .filter(name -> paths.contains(FieldAliases.resolve(schema, name)))
            .map(ColumnName::of)
            .toList();
  }

  private void unseen(int feature, String category) {
    int i = Arrays.binarySearch(categorical, feature);
    if (i >= 0) { // nothing is counted of a constant model
      columns[i].example(category);
    }
  }

  List<Schema> readableSchemas() {
    return decoders.readable();
  }
}
