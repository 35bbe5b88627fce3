package io.holdfast.scorer;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.UnseenListener;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.ledger.ModelFileException;
import io.holdfast.schemas.ledger.RecordDecoders;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * A verified version of a model, ready to score. Immutable; safe to share among threads.
 *
 * <p>Rows are feature vectors in the order of {@link #features}: a number, or the code of a
 * category (its place in the list); NaN is missing. Records become rows by the decoder of the
 * service, so what is scored here and there has the same bits.
 */
public final class ScoringModel {
  private final LedgerVersion version;
  private final Scorer scorer;
  private final RecordDecoders decoders;
  private final NamedValues named;
  private final Objective objective;

  private ScoringModel(LedgerVersion version) {
    this.version = version;
    this.scorer = Scorer.of(version.model());
    this.decoders = new RecordDecoders(version, UnseenListener.NONE);
    this.named = new NamedValues(version);
    this.objective = version.objective();
  }

  /**
   * The version that a model file holds, as {@code holdfast fit --out} or {@code models export}
   * wrote it.
   *
   * @throws ModelFileException in one sentence, if it cannot be verified
   */
  public static ScoringModel read(Path file) throws ModelFileException {
    return new ScoringModel(ModelFile.read(file));
  }

  /** The same of a file's bytes, which are read to their end and not closed. */
  public static ScoringModel read(InputStream file) throws IOException, ModelFileException {
    return of(file.readAllBytes());
  }

  /** The same of a file's bytes. */
  public static ScoringModel of(byte[] file) throws ModelFileException {
    return new ScoringModel(ModelFile.read(file, "the model file"));
  }

  /** A version that was verified elsewhere. */
  public static ScoringModel of(LedgerVersion version) {
    return new ScoringModel(version);
  }

  /** The model's name. */
  public String name() {
    return version.manifest().getModel();
  }

  /** The version's number. */
  public long version() {
    return version.number();
  }

  /** The SHA-256 of the version's manifest in hexadecimal digits, which all its trees hang by. */
  public String hash() {
    return version.hash().toString();
  }

  /** What a row has, in order. */
  public List<Feature> features() {
    return version.model().features();
  }

  /** What raw scores mean: the link, and how many classes there are. */
  public Objective objective() {
    return objective;
  }

  /** The names of the classes, in the order of their probabilities; empty if they have none. */
  public List<String> classes() {
    return version.classes().names();
  }

  /** Raw scores of rows and of blocks of rows, without any allocation; safe to share, too. */
  public Scorer scorer() {
    return scorer;
  }

  /**
   * Works out where labels of rows are promised to be, for one thread; empty if the version does
   * not say. Made anew by each call.
   */
  public Optional<RowBounds> bounds() {
    return Optional.ofNullable(version.bounds());
  }

  /** The score of a row. */
  public RowScore score(double[] row) {
    double[] raw = new double[scorer.outputs()];
    scorer.score(row, raw);
    double[] probabilities = new double[objective().classes()];
    objective().probabilities(raw, probabilities);
    double prediction = objective().prediction(raw);
    String label = version.classes().label(objective(), prediction);
    return new RowScore(version(), prediction, probabilities, label, raw);
  }

  /** The row of the Avro body {@code bytes[from, bytes.length)}, written with {@code schema}. */
  public double[] row(Schema schema, byte[] bytes, int from) throws MalformedRecordException {
    double[] row = new double[features().size()];
    decoders.of(schema).decode(bytes, from, row);
    return row;
  }

  /** The row of a record. */
  public double[] row(GenericRecord record) throws MalformedRecordException {
    return row(record.getSchema(), body(record), 0);
  }

  /**
   * The row of values by the names of features or their columns; others are passed over, and what
   * is null or not there is missing. Numbers are numbers, {@code true} is 1; a category may be a
   * text, number, boolean or UUID; times are Instant, LocalDate or LocalDateTime (UTC).
   */
  public double[] row(Map<String, ?> values) throws MalformedRecordException {
    return named.row(values);
  }

  /** The score of an Avro body. */
  public RowScore score(Schema schema, byte[] bytes, int from) throws MalformedRecordException {
    return score(row(schema, bytes, from));
  }

  /** The score of a record. */
  public RowScore score(GenericRecord record) throws MalformedRecordException {
    return score(row(record));
  }

  /** The score of {@linkplain #row(Map) values by name}. */
  public RowScore score(Map<String, ?> values) throws MalformedRecordException {
    return score(row(values));
  }

  /** The features that records of a schema lack, which are always missing there. */
  public List<String> absent(Schema schema) throws MalformedRecordException {
    return decoders.of(schema).absent().stream().map(ColumnName::of).toList();
  }

  @SuppressWarnings("IllegalCatch") // Avro throws these for values that are not of their types
  private static byte[] body(GenericRecord record) throws MalformedRecordException {
    GenericData data =
        record instanceof SpecificRecordBase specific
            ? specific.getSpecificData()
            : GenericData.get();
    var writer = new GenericDatumWriter<GenericRecord>(record.getSchema(), data);
    try {
      return ContractCodec.body(256, out -> writer.write(record, out));
    } catch (AvroRuntimeException | ClassCastException | NullPointerException e) {
      throw new MalformedRecordException(
          Reason.INVALID_VALUE,
          "the record does not fit its own schema "
              + record.getSchema().getFullName()
              + ": "
              + e.getMessage());
    }
  }
}
