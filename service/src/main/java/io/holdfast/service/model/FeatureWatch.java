package io.holdfast.service.model;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings.Absent;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the records of a model lack of its features, and which categories it has never seen: counted
 * by feature, whatever version scores. Thread-safe; one thread judges.
 */
public final class FeatureWatch {
  public static final String ABSENT = "holdfast.feature.absent";
  public static final String UNSEEN = "holdfast.category.unseen";

  /** So many records without that, and it is over. */
  private static final int CLEAR = 100;

  /** So many values of a feature tell what most of them are. */
  private static final int FEWEST = 20;

  private static final int MOST_SHOWN = 40;

  private final String model;
  private final Absent absent;
  private final MeterRegistry meters;
  private final LongAdder records = new LongAdder();
  private final ConcurrentMap<String, Column> columns = new ConcurrentHashMap<>();
  private final SortedMap<String, Lacked> lacked = new ConcurrentSkipListMap<>();
  private long lackedBefore; // of the judging thread alone, as is the next
  private long recordsBefore;

  /** Values of one categorical feature. */
  static final class Column {
    private final String name;
    private final LongAdder values = new LongAdder();
    private final LongAdder unseen = new LongAdder();
    private volatile String newest = "";
    private volatile @Nullable Counter counter; // there is one from the first unseen value on
    private long valuesBefore; // of the judging thread alone, as are the next
    private long unseenBefore;
    private long newestValues;
    private long newestUnseen;

    Column(String name) {
      this.name = name;
    }

    /** Is told of a category that was not seen. */
    void example(String category) {
      newest = category.length() > MOST_SHOWN ? category.substring(0, MOST_SHOWN) + "…" : category;
    }

    /** Whether most of the newest values were never seen. */
    boolean judge() {
      long more = values.sum() - valuesBefore;
      if (more >= FEWEST) {
        newestValues = more;
        newestUnseen = unseen.sum() - unseenBefore;
        valuesBefore += more;
        unseenBefore += newestUnseen;
      }
      return 2 * newestUnseen > newestValues;
    }

    String said() {
      return Sentence.of(
          "%s (%,d of the newest %,d values, such as %s)",
          ColumnName.of(name), newestUnseen, newestValues, newest);
    }
  }

  /** Records that lack one feature. */
  private static final class Lacked {
    private final Counter counter;
    private final LongAdder records = new LongAdder();
    private long before; // when the last trouble was over; of the judging thread alone

    Lacked(Counter counter) {
      this.counter = counter;
    }

    long since() {
      return records.sum() - before;
    }
  }

  /** Of a model whose records may lack features, or not. */
  public FeatureWatch(String model, Absent absent, MeterRegistry meters) {
    this.model = model;
    this.absent = absent;
    this.meters = meters;
  }

  /** Whether a record that lacks a feature must not be scored. */
  boolean refuses() {
    return absent == Absent.REFUSE;
  }

  /** What is counted of a categorical feature. */
  Column column(String feature) {
    return columns.computeIfAbsent(feature, Column::new);
  }

  /** A record came that lacks these. */
  void lacks(List<String> features) {
    for (String feature : features) {
      Lacked one = lacked.get(feature);
      if (one == null) {
        one = lacked.computeIfAbsent(feature, this::lacked);
      }
      one.counter.increment();
      one.records.increment();
    }
  }

  private Lacked lacked(String feature) {
    return new Lacked(
        counter(ABSENT, "Records whose schema lacks the feature of the model", feature));
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
    column.values.add(values);
    if (unseen > 0) {
      column.unseen.add(unseen);
      Counter counter = column.counter;
      if (counter == null) {
        counter =
            counter(UNSEEN, "Values that are categories which no training had seen", column.name);
        column.counter = counter;
      }
      counter.increment((double) unseen);
    }
  }

  /** Says what is wrong now. To be called now and then, by one thread. */
  void judge(Troubles troubles) {
    judgeLacked(troubles);
    List<String> unseen = new ArrayList<>();
    columns.values().stream().filter(Column::judge).map(Column::said).sorted().forEach(unseen::add);
    if (unseen.isEmpty()) {
      troubles.end(model, TroubleKind.UNSEEN_CATEGORIES);
    } else {
      troubles.begin(
          model,
          TroubleKind.UNSEEN_CATEGORIES,
          Sentence.of(
              "most values of %s are categories that it has never seen, and count as missing: write"
                  + " them as in training, or learn from them first",
              String.join(" and ", unseen)));
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
      lacked.values().forEach(one -> one.before = one.records.sum());
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
        refuses() ? "are dead letters" : "are scored as if they had no value there", named);
  }

  /** What is missing from a schema, in words; null if that is no fault. */
  @Nullable String fault(String schema, List<String> lacking) {
    if (lacking.isEmpty() || !refuses()) {
      return null;
    }
    return Sentence.of(
        "the record's schema %s lacks what the model reads (%s), and features.absent is refuse",
        schema, lacking.stream().map(ColumnName::of).collect(Collectors.joining(", ")));
  }
}
