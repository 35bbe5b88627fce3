package io.holdfast.service.model;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings.Absent;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the records of a model lack of its features, which categories it has never seen and which
 * numbers are rounded: counted by feature, whatever version scores. Thread-safe; one thread judges.
 */
public final class FeatureWatch {
  public static final String ABSENT = "holdfast.feature.absent";
  public static final String MISSING = "holdfast.feature.missing";
  public static final String UNSEEN = "holdfast.category.unseen";
  public static final String ROUNDED = "holdfast.number.rounded";

  /** So many records without that, and it is over. */
  private static final int CLEAR = 100;

  /** So many values of a feature tell what most of them are. */
  private static final int FEWEST = 20;

  private static final int MOST_SHOWN = 40;

  /** Models of more features get a feature's series when there is something to count. */
  private static final int MOST_FROM_START = 100;

  private static final String ABSENT_MEANS = "Records whose schema lacks the feature of the model";

  private final String model;
  private final Absent absent;
  private final MeterRegistry meters;
  private final LongAdder records = new LongAdder();
  private final ConcurrentMap<String, Column> columns = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Column> rounded = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Counter> missing = new ConcurrentHashMap<>();
  private final SortedMap<String, Lacked> lacked = new ConcurrentSkipListMap<>();
  private long lackedBefore; // of the judging thread alone, as is the next
  private long recordsBefore;

  /** What is odd among the values of one feature: unseen, or rounded. */
  static final class Column {
    private final String name;
    private final Odd kind;
    private final LongAdder all; // of which some are odd
    private final LongAdder odd = new LongAdder();
    private volatile String newest = "";
    private volatile double newestNumber;
    private volatile @Nullable Counter counter; // there is one from the first odd value on
    private long allBefore; // of the judging thread alone, as are the next
    private long oddBefore;
    private long newestAll;
    private long newestOdd;

    Column(String name, Odd kind, LongAdder all) {
      this.name = name;
      this.kind = kind;
      this.all = all;
    }

    /** Is told of an odd value. */
    void example(String value) {
      newest = value.length() > MOST_SHOWN ? value.substring(0, MOST_SHOWN) + "…" : value;
    }

    /** Is told of an odd value that is a number. */
    void example(double value) {
      newestNumber = value;
    }

    /** Whether most of the newest are odd. */
    boolean judge() {
      long more = all.sum() - allBefore;
      if (more >= FEWEST) {
        newestAll = more;
        newestOdd = odd.sum() - oddBefore;
        allBefore += more;
        oddBefore += newestOdd;
      }
      return 2 * newestOdd > newestAll;
    }

    String said() {
      return Sentence.of(
          "%s (%,d of the newest %,d %s, such as %s)",
          ColumnName.of(name),
          newestOdd,
          newestAll,
          kind.noun,
          kind == Odd.ROUNDED ? BigDecimal.valueOf(newestNumber).toPlainString() : newest);
    }
  }

  /** What a value can be. */
  enum Odd {
    UNSEEN(FeatureWatch.UNSEEN, "Values that are categories which no training had seen", "values"),
    ROUNDED(
        FeatureWatch.ROUNDED, "Values that are numbers beyond 2^53, which are rounded", "records");

    private final String meter;
    private final String description;
    private final String noun; // what it is counted among

    Odd(String meter, String description, String noun) {
      this.meter = meter;
      this.description = description;
      this.noun = noun;
    }
  }

  /** Records that lack one feature: all, and those before the last trouble was over. */
  private record Lacked(Counter counter, LongAdder records, AtomicLong before) {
    long since() {
      return records.sum() - before.get();
    }
  }

  /** Of a model whose records may lack features, or not. */
  public FeatureWatch(String model, Absent absent, MeterRegistry meters) {
    this.model = model;
    this.absent = absent;
    this.meters = meters;
  }

  /** Has a series for all that may be wrong with features, at 0: so the first increase shows. */
  void expect(List<Feature> features) {
    if (features.size() > MOST_FROM_START) {
      return;
    }
    for (Feature feature : features) {
      if (missing.get(feature.name()) == null) {
        missing(feature.name(), 0);
        counter(ABSENT, ABSENT_MEANS, feature.name());
        Odd odd = feature instanceof Feature.Categorical ? Odd.UNSEEN : Odd.ROUNDED;
        counter(odd.meter, odd.description, feature.name());
      }
    }
  }

  /** So many records came without a value of a feature. */
  void missing(String feature, long count) {
    missing.computeIfAbsent(feature, this::missing).increment((double) count);
  }

  private Counter missing(String feature) {
    return counter(MISSING, "Records scored without a value of the feature", feature);
  }

  /** What is counted of a categorical feature. */
  Column column(String feature) {
    return columns.computeIfAbsent(feature, name -> new Column(name, Odd.UNSEEN, new LongAdder()));
  }

  /** What is counted of a feature that has numbers beyond 2^53. */
  Column rounded(String feature) {
    return rounded.computeIfAbsent(feature, name -> new Column(name, Odd.ROUNDED, records));
  }

  /** A record came that lacks these. */
  void lacks(List<String> features) {
    for (String feature : features) {
      Lacked one = lacked.computeIfAbsent(feature, this::lacked);
      one.counter.increment();
      one.records.increment();
    }
  }

  private Lacked lacked(String feature) {
    return new Lacked(counter(ABSENT, ABSENT_MEANS, feature), new LongAdder(), new AtomicLong());
  }

  private Counter counter(String name, String description, String feature) {
    return Counter.builder(name)
        .description(description)
        .tag("model", model)
        .tag("feature", ColumnName.of(feature))
        .register(meters);
  }

  /** So many records came. */
  void saw(long count) {
    records.add(count);
  }

  /** So many values of a categorical feature came, and so many of them no version had seen. */
  void saw(Column column, long values, long unseen) {
    column.all.add(values);
    saw(column, unseen);
  }

  /** So many odd values of a feature came. */
  void saw(Column column, long odd) {
    if (odd > 0) {
      column.odd.add(odd);
      Counter counter = column.counter;
      if (counter == null) {
        counter = counter(column.kind.meter, column.kind.description, column.name);
        column.counter = counter;
      }
      counter.increment((double) odd);
    }
  }

  /** Says what is wrong now. To be called now and then, by one thread. */
  void judge(Troubles troubles) {
    judgeLacked(troubles);
    judge(
        troubles,
        TroubleKind.UNSEEN_CATEGORIES,
        columns.values(),
        values ->
            Sentence.of(
                "most values of %s are categories that it has never seen, and count as missing:"
                    + " write them as in training, or learn from them first",
                values));
    judge(
        troubles,
        TroubleKind.NUMBERS_ROUNDED,
        rounded.values(),
        values ->
            Sentence.of(
                "most records have a number beyond 2^53 in %s, which is rounded, so that neighbours"
                    + " are one number: name the field in features.categorical if each value is a"
                    + " name, or in features.exclude, and learn a new model",
                values));
  }

  private void judge(
      Troubles troubles,
      TroubleKind kind,
      Collection<Column> columns,
      UnaryOperator<String> sentence) {
    String odd =
        columns.stream()
            .filter(Column::judge)
            .map(Column::said)
            .sorted()
            .collect(Collectors.joining(" and "));
    if (odd.isEmpty()) {
      troubles.end(model, kind);
    } else {
      troubles.begin(model, kind, sentence.apply(odd));
    }
  }

  private void judgeLacked(Troubles troubles) {
    long came = records.sum();
    long now = lacked.values().stream().mapToLong(one -> one.records.sum()).sum();
    if (now > lackedBefore) {
      lackedBefore = now;
      recordsBefore = came;
      troubles.begin(model, TroubleKind.FEATURE_ABSENT, lackedNow());
    } else if (came - recordsBefore >= CLEAR) {
      lacked.values().forEach(one -> one.before.set(one.records.sum()));
      troubles.end(model, TroubleKind.FEATURE_ABSENT);
    }
  }

  private String lackedNow() {
    String named =
        lacked.entrySet().stream()
            .filter(one -> one.getValue().since() > 0)
            .map(
                one ->
                    Sentence.of(
                        "%s (%,d records)", ColumnName.of(one.getKey()), one.getValue().since()))
            .collect(Collectors.joining(", "));
    return Sentence.of(
        "records come whose schema lacks features of the model, and %s: %s; give the fields these"
            + " names again, or as aliases",
        absent == Absent.REFUSE ? "are dead letters" : "are scored as if they had no value there",
        named);
  }

  /** What is missing from a schema, in words; null if that is no fault. */
  @Nullable String fault(String schema, List<String> lacking) {
    return absent == Absent.SERVE
        ? null
        : Sentence.of(
            "the record's schema %s lacks what the model reads (%s), and features.absent is refuse",
            schema, lacking.stream().map(ColumnName::of).collect(Collectors.joining(", ")));
  }
}
