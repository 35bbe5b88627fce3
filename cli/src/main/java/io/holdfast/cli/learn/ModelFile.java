package io.holdfast.cli.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.Fit;
import io.holdfast.cli.data.DataException;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.ledger.Digest;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.LedgerCodec;
import io.holdfast.schemas.ledger.LedgerKey;
import io.holdfast.schemas.ledger.LedgerRecord;
import io.holdfast.schemas.ledger.LedgerVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * A model in a file: the records that would publish it on the model topic, in the order they would
 * be sent, in an Avro container file.
 *
 * <pre>
 * Avro container | metadata holdfast.model-file = 1 | records of {key: string, value: bytes}
 * key, value: as on the model topic (segments first, then the manifests, then the head); the last
 *             record has the key "sha256" and the digest of all keys and values before it
 * </pre>
 *
 * <p>Reading applies the records as a scorer does, so every hash, limit and reference is checked
 * before there is a model. The digest covers what no hash of the ledger does, such as who set the
 * head and when. Stateless.
 */
public final class ModelFile {
  private static final String FORMAT_KEY = "holdfast.model-file";
  private static final long FORMAT = 1;
  private static final String DIGEST_KEY = "sha256";
  private static final Schema ENTRY =
      SchemaBuilder.record("ModelFileEntry")
          .namespace("io.holdfast.cli")
          .fields()
          .requiredString("key")
          .requiredBytes("value")
          .endRecord();

  private ModelFile() {}

  /**
   * Writes a fitted model as version 1, grown from the untrained version 0.
   *
   * @param source what it was fitted to, for the manifest
   * @return the version as it stands in the file
   */
  public static LedgerVersion write(
      Path file, OfflineFit fitted, Path source, String programVersion, InstantSource time)
      throws IOException {
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
    var window = new OffsetRange("file:" + source.getFileName(), 0, 0L, fitted.rowsRead());
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
                programVersion));
    List<LedgerRecord> records = new ArrayList<>(first.records());
    records.addAll(trained.records());
    records.add(LedgerCodec.encode(head(trained.version(), time)));
    write(file, records);
    return trained.version();
  }

  private static Map<String, Double> metrics(OfflineFit fitted) {
    Fit fit = fitted.fit();
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("rows", (double) fitted.training().rows().size());
    metrics.put("anchorLossBefore", fit.losses().getFirst().total());
    metrics.put("anchorLossAfter", fit.losses().getLast().total());
    return metrics;
  }

  private static ModelHead head(LedgerVersion version, InstantSource time) {
    return ModelHead.newBuilder()
        .setFormat(1)
        .setModel(version.manifest().getModel())
        .setVersion(version.number())
        .setHash(new Sha256Digest(version.hash().bytes()))
        .setShadowVersion(null)
        .setReason(HeadReason.TRAINED)
        .setBy("holdfast fit")
        .setNote("")
        .setAt(time.instant())
        .build();
  }

  private static void write(Path file, List<LedgerRecord> records) throws IOException {
    // A whole file or none: a reader never sees a half-written model.
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(ENTRY))) {
      writer.setCodec(CodecFactory.deflateCodec(6)).setMeta(FORMAT_KEY, FORMAT);
      writer.create(ENTRY, partial.toFile());
      var written = new ByteArrayOutputStream();
      for (LedgerRecord record : records) {
        byte[] value = record.value();
        if (value != null) {
          writer.append(entry(record.key().toString(), value));
          addTo(written, record.key().toString(), value);
        }
      }
      writer.append(entry(DIGEST_KEY, Digest.of(written.toByteArray()).bytes()));
    }
    Files.move(partial, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static GenericRecord entry(String key, byte[] value) {
    GenericRecord entry = new GenericData.Record(ENTRY);
    entry.put("key", key);
    entry.put("value", ByteBuffer.wrap(value));
    return entry;
  }

  private static void addTo(ByteArrayOutputStream all, String key, byte[] value) {
    all.writeBytes(key.getBytes(StandardCharsets.UTF_8));
    all.writeBytes(value);
  }

  /**
   * Reads the version that serves.
   *
   * @throws DataException if the file is no model file, or what it holds cannot be verified
   */
  public static LedgerVersion read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new DataException("there is no model file %s: make one with holdfast fit --out", file);
    }
    Ledger ledger = new Ledger();
    String model = null;
    try (var reader =
        new DataFileReader<GenericRecord>(file.toFile(), new GenericDatumReader<>(null, ENTRY))) {
      if (!Long.toString(FORMAT).equals(reader.getMetaString(FORMAT_KEY))) {
        throw new DataException(
            "%s is an Avro file, but no model file that this version of Holdfast reads", file);
      }
      var read = new ByteArrayOutputStream();
      boolean whole = false;
      for (GenericRecord entry : reader) {
        String key = entry.get("key").toString();
        byte[] value = bytes((ByteBuffer) entry.get("value"));
        if (key.equals(DIGEST_KEY)) {
          whole = Digest.fromBytes(value).equals(Digest.of(read.toByteArray()));
          continue;
        }
        whole = false;
        addTo(read, key, value);
        model = LedgerKey.parse(key).model();
        apply(ledger, key, value, file);
      }
      if (!whole) {
        throw new DataException(
            "the model file %s is damaged: its content has another SHA-256 than it names", file);
      }
    } catch (IOException | AvroRuntimeException | IllegalArgumentException e) {
      throw new DataException("%s is no readable model file: %s", file, e.getMessage());
    }
    return serving(ledger, model, file);
  }

  private static void apply(Ledger ledger, String key, byte[] value, Path file) {
    if (ledger.apply(key, value) instanceof Ledger.Event.Rejected rejected) {
      throw new DataException(
          "the model in %s cannot be verified (%s): %s",
          file, rejected.reason(), rejected.detail());
    }
  }

  private static LedgerVersion serving(Ledger ledger, @Nullable String model, Path file) {
    if (model != null && ledger.serving(model).isPresent()) {
      return ledger.serving(model).get();
    }
    throw new DataException("%s holds no version that serves", file);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
