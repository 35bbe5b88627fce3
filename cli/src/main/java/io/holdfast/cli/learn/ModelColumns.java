package io.holdfast.cli.learn;

import io.holdfast.boosting.data.Feature;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.FileContract;
import io.holdfast.cli.data.FileContract.Kind;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.feature.DatePart;
import io.holdfast.schemas.feature.MissingWords;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The columns of a file that a model reads, and how. Immutable. */
public record ModelColumns(
    List<Feature> features, MissingWords missing, Map<String, Kind> kinds, Leniency leniency) {
  private static ModelColumns of(List<Feature> features, MissingWords missing, Leniency leniency) {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    for (Feature feature : features) {
      Kind kind =
          switch (feature) {
            case Feature.Numeric(String name, boolean _) ->
                DatePart.in(name) == null ? Kind.NUMBER : Kind.TIME;
            case Feature.Categorical _ -> Kind.TEXT;
          };
      kinds.merge(column(feature.name()), kind, (a, b) -> a == Kind.TIME ? a : b);
    }
    return new ModelColumns(features, missing, kinds, leniency);
  }

  public static ModelColumns of(LedgerVersion version, Leniency leniency) {
    return of(version.model().features(), version.missingWords(), leniency);
  }

  /** Features with label, environment, weight and anchors, of rows that are learned from. */
  public static ModelColumns toLearnFrom(
      List<Feature> features, ModelSettings settings, Leniency leniency) {
    MissingWords missing = MissingWords.of(settings.features().missing());
    ModelColumns columns = of(features, missing, leniency).withRoles(settings);
    for (String anchor : settings.anchors()) {
      columns = columns.with(anchor, Kind.NUMBER);
    }
    return columns;
  }

  /** The same without anchors, which a test does not need. */
  public static ModelColumns toTest(
      List<Feature> features, ModelSettings settings, Leniency leniency) {
    return of(features, MissingWords.of(settings.features().missing()), leniency)
        .withRoles(settings);
  }

  private ModelColumns withRoles(ModelSettings settings) {
    return with(settings.label(), settings.classes().isEmpty() ? Kind.NUMBER : Kind.TEXT)
        .with(settings.weight(), Kind.NUMBER)
        .with(settings.environment(), Kind.TEXT);
  }

  /** These, and a field that is read beside the features; null for none. */
  public ModelColumns with(@Nullable String field, Kind kind) {
    if (field == null) {
      return this;
    }
    Map<String, Kind> more = new LinkedHashMap<>(kinds);
    more.putIfAbsent(column(field), kind);
    return new ModelColumns(features, missing, more, leniency);
  }

  /** The fields that features are, or are parts of. */
  public static Set<String> fields(List<Feature> features) {
    return features.stream()
        .map(feature -> DatePart.path(feature.name()))
        .collect(Collectors.toSet());
  }

  /** The fields that features are as they are. */
  public static Set<String> whole(List<Feature> features) {
    return features.stream()
        .map(Feature::name)
        .filter(name -> DatePart.in(name) == null)
        .collect(Collectors.toSet());
  }

  private static String column(String field) {
    return ColumnName.of(DatePart.path(field));
  }

  public FileContract contract() {
    for (String name : leniency.mayLack()) {
      if (!kinds.containsKey(ColumnName.text(name))) {
        throw new DataException(
            "--allow-missing names %s, which is no column that the model reads%s; these are %s",
            name, Suggestion.aside(name, kinds.keySet()), String.join(", ", kinds.keySet()));
      }
    }
    return new FileContract(kinds, missing, leniency.mayLack());
  }

  /**
   * Opens a file and reads it to the end once; throws DataException if it does not fit the model.
   */
  public HeldFile open(DataSource path) {
    return open(path, List.of());
  }

  /** The same, with fields that are read as they are written unless the model reads them. */
  public HeldFile open(DataSource path, Collection<String> asWritten) {
    Set<String> texts = new HashSet<>(asWritten);
    texts.removeIf(field -> kinds.containsKey(ColumnName.of(field)));
    DataFile file = DataFile.held(path, contract(), texts);
    UnseenCategories unseen = new UnseenCategories(file, features, missing);
    unseen.check(leniency.mayBeUnseen());
    return new HeldFile(file, unseen);
  }

  public record HeldFile(DataFile file, UnseenCategories unseen) {}

  /** Columns that a file may be without, and columns whose categories may all be new. */
  public record Leniency(Set<String> mayLack, Set<String> mayBeUnseen) {
    public static Leniency of(List<String> mayLack, List<String> mayBeUnseen) {
      return new Leniency(texts(mayLack), texts(mayBeUnseen));
    }

    private static Set<String> texts(List<String> columns) {
      return columns.stream().map(ColumnName::text).collect(Collectors.toSet());
    }
  }
}
