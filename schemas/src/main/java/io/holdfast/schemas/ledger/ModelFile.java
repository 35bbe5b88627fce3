package io.holdfast.schemas.ledger;

import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.file.OutputException;
import io.holdfast.schemas.file.OutputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;

/**
 * A model in a file: the records that would publish it on the model topic, in the order they would
 * be sent, in an Avro container file.
 *
 * <pre>
 * Avro container | metadata holdfast.model-file = 1 | records of {key: string, value: bytes}
 * key, value: as on the model topic (what manifests name first, then the manifests, then the head); the last
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
          .namespace("io.holdfast.cli") // where the format came from; part of the files by now
          .fields()
          .requiredString("key")
          .requiredBytes("value")
          .endRecord();

  private ModelFile() {}

  /**
   * Writes a model as version 0 of a ledger of its own: scores of the model that {@link #read}
   * gives have the same bits. {@code holdfast score} and {@code explain} read the file too.
   *
   * @param name of the model; letters, digits, dots, dashes and underscores
   * @param gamma what it was trained with; 1 if it knows no anchor
   * @param seed what it was trained with
   * @param at when it was trained, or saved
   * @throws IOException if the file cannot be written
   * @throws IllegalArgumentException in one sentence, if the model is larger than the ledger takes
   */
  public static void save(Path file, String name, Model model, double gamma, long seed, Instant at)
      throws IOException {
    String build = ModelFile.class.getPackage().getImplementationVersion();
    LedgerCodec.Encoded encoded =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                name,
                0,
                null,
                model,
                gamma,
                List.of(),
                List.of(),
                List.of(),
                seed,
                "{}",
                Map.of(),
                Objects.requireNonNullElse(build, "")));
    ModelHead head = LedgerCodec.head(encoded.version(), HeadReason.TRAINED, "library", "", at);
    List<LedgerRecord> records = new ArrayList<>(encoded.records());
    records.add(LedgerCodec.encode(head));
    try {
      write(OutputFile.of(file), records);
    } catch (OutputException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Writes the records that publish a version: its ancestors first, its head last.
   *
   * @return the file's bytes
   * @throws io.holdfast.schemas.file.OutputException if it cannot be written
   */
  public static long write(OutputFile file, List<LedgerRecord> records) throws IOException {
    return file.write(out -> write(records, out));
  }

  private static void write(List<LedgerRecord> records, OutputStream out) throws IOException {
    var content = new ByteArrayOutputStream();
    for (LedgerRecord record : records) {
      byte[] value = record.value();
      if (value != null) {
        addTo(content, record.key().toString(), value);
      }
    }
    byte[] digest = Digest.of(content.toByteArray()).bytes();
    // Avro's own sync marker is another each time; equal content is to give equal bytes.
    byte[] sync = Arrays.copyOf(digest, DataFileConstants.SYNC_SIZE);
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(ENTRY))) {
      writer.setCodec(CodecFactory.deflateCodec(6)).setMeta(FORMAT_KEY, FORMAT);
      writer.create(ENTRY, out, sync);
      for (LedgerRecord record : records) {
        byte[] value = record.value();
        if (value != null) {
          writer.append(entry(record.key().toString(), value));
        }
      }
      writer.append(entry(DIGEST_KEY, digest));
    }
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
   * @throws ModelFileException in one sentence, if there is no such file, it is no model file, or
   *     what it holds cannot be verified
   */
  public static LedgerVersion read(Path file) throws ModelFileException {
    return readAll(file).serving();
  }

  /**
   * All that a file holds.
   *
   * @param serving the version that serves
   * @param newest the newest version's number
   * @param records those of all versions and the head, as they would be sent
   */
  public record Content(LedgerVersion serving, long newest, List<LedgerRecord> records) {
    public Content {
      records = List.copyOf(records);
    }
  }

  /** Reads a file as {@link #read} does, and keeps what it holds. */
  public static Content readAll(Path file) throws ModelFileException {
    if (!Files.isRegularFile(file)) {
      throw new ModelFileException("there is no model file " + file);
    }
    Ledger ledger = new Ledger();
    List<LedgerRecord> records = new ArrayList<>();
    try (var reader =
        new DataFileReader<GenericRecord>(file.toFile(), new GenericDatumReader<>(null, ENTRY))) {
      if (!Long.toString(FORMAT).equals(reader.getMetaString(FORMAT_KEY))) {
        throw new ModelFileException(
            file + " is an Avro file, but no model file that this version of Holdfast reads");
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
        records.add(new LedgerRecord(LedgerKey.parse(key), value));
        apply(ledger, key, value, file);
      }
      if (!whole) {
        throw new ModelFileException(
            "the model file "
                + file
                + " is damaged: its content has another SHA-256 than it names");
      }
    } catch (ModelFileException e) {
      throw e;
    } catch (IOException
        | AvroRuntimeException
        | IllegalArgumentException
        | UnsupportedOperationException e) { // the last is Avro's for counts beyond an array
      throw new ModelFileException(file + " is no readable model file: " + e.getMessage(), e);
    }
    return content(ledger, records, file);
  }

  private static void apply(Ledger ledger, String key, byte[] value, Path file)
      throws ModelFileException {
    if (ledger.apply(key, value) instanceof Ledger.Event.Rejected rejected) {
      throw new ModelFileException(
          "the model in "
              + file
              + " cannot be verified ("
              + rejected.reason()
              + "): "
              + rejected.detail());
    }
  }

  private static Content content(Ledger ledger, List<LedgerRecord> records, Path file)
      throws ModelFileException {
    String model = records.isEmpty() ? "" : records.getLast().key().model();
    Optional<LedgerVersion> serving = ledger.serving(model);
    if (serving.isEmpty()) {
      throw new ModelFileException(file + " holds no version that serves");
    }
    return new Content(serving.get(), ledger.versions(model).getLast().getVersion(), records);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
