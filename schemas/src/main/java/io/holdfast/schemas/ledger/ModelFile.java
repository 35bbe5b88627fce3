package io.holdfast.schemas.ledger;

import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.file.OutputException;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.ContainerReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;

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

  /** What a block takes: Avro's writer ends one after 64 KB, and no record takes more than 2 MB. */
  private static final int MAX_BLOCK_BYTES = 8 << 20;

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
            LedgerCodec.Draft.first(
                name, model, gamma, seed, "{}", Objects.requireNonNullElse(build, "")));
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
   * Writes the records that publish a version, its ancestors first, its head last; the bytes
   * written.
   */
  public static long write(OutputFile file, List<LedgerRecord> records) throws IOException {
    return file.write(out -> write(records, out));
  }

  private static void write(List<LedgerRecord> records, OutputStream out) throws IOException {
    var content = new ByteArrayOutputStream();
    for (LedgerRecord record : records) {
      byte[] value = record.value();
      if (value != null) {
        content.writeBytes(record.key().toString().getBytes(StandardCharsets.UTF_8));
        content.writeBytes(value);
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

  /** The version that serves, or a ModelFileException if what the file holds cannot be verified. */
  public static LedgerVersion read(Path file) throws ModelFileException {
    return readAll(file).serving();
  }

  /**
   * The version that serves of a file's bytes.
   *
   * @param name what the bytes are called where they cannot be read
   */
  public static LedgerVersion read(byte[] file, String name) throws ModelFileException {
    return readAll(new Source(name, () -> ContainerReader.open(file, MAX_BLOCK_BYTES))).serving();
  }

  /** All that a file holds; {@code newest} is the newest version's number. */
  public record Content(LedgerVersion serving, long newest, List<LedgerRecord> records) {
    public Content {
      records = List.copyOf(records);
    }
  }

  /** Reads a file as {@link #read} does, and keeps what it holds. */
  public static Content readAll(Path file) throws ModelFileException {
    if (!Files.isRegularFile(file)) {
      throw new ModelFileException(
          (Files.exists(file) ? "it is no file: " : "there is no model file ") + file);
    }
    return readAll(new Source(file.toString(), () -> ContainerReader.open(file, MAX_BLOCK_BYTES)));
  }

  private static Content readAll(Source file) throws ModelFileException {
    Ledger ledger = new Ledger();
    List<LedgerRecord> records = new ArrayList<>();
    verify(file); // so that nothing is made of what is damaged
    forEach(
        file,
        entry -> {
          if (!entry.key.equals(DIGEST_KEY)) {
            records.add(new LedgerRecord(key(entry, file), entry.value));
            if (ledger.apply(entry.key, entry.value) instanceof Ledger.Event.Rejected rejected) {
              throw new ModelFileException(
                  Sentence.of("the model in %s cannot be used: %s", file, rejected.detail()));
            }
          }
        });
    String model = records.isEmpty() ? "" : records.getLast().key().model();
    LedgerVersion serving =
        ledger
            .serving(model)
            .orElseThrow(() -> new ModelFileException(file + " holds no version that serves"));
    return new Content(serving, ledger.versions(model).getLast().getVersion(), records);
  }

  /** What is read, as often as it takes, and its name in messages. */
  private record Source(String name, Opening opening) {
    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  private interface Opening {
    ContainerReader open() throws IOException;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(String key, byte[] value) {}

  @FunctionalInterface
  private interface EntryReader {
    void read(Entry entry) throws ModelFileException;
  }

  /** Checks that a file holds what it says that it holds. */
  private static void verify(Source file) throws ModelFileException {
    MessageDigest read = Digest.begin();
    byte[][] named = {{}}; // the digest, if it was the last entry
    forEach(
        file,
        entry -> {
          if (entry.key.equals(DIGEST_KEY)) {
            named[0] = entry.value;
          } else {
            named[0] = new byte[0];
            read.update(entry.key.getBytes(StandardCharsets.UTF_8));
            read.update(entry.value);
          }
        });
    if (!Arrays.equals(named[0], read.digest())) {
      throw new ModelFileException(
          Sentence.of(
              "the model file %s is damaged: its content has another SHA-256 than it names", file));
    }
  }

  private static void forEach(Source file, EntryReader to) throws ModelFileException {
    try (ContainerReader reader = file.opening.open()) {
      if (!Long.toString(FORMAT).equals(reader.meta(FORMAT_KEY))
          || !ENTRY.equals(reader.schema())) {
        throw new ModelFileException(
            file + " is an Avro file, but no model file that this version of Holdfast reads");
      }
      var entries = new GenericDatumReader<GenericRecord>(ENTRY);
      for (byte[] body = reader.next(); body != null; body = reader.next()) {
        to.read(entry(body, entries));
      }
    } catch (ModelFileException e) {
      throw e;
    } catch (IOException e) {
      throw new ModelFileException(
          Sentence.of("%s is no readable model file: %s", file, e.getMessage()), e);
    }
  }

  private static Entry entry(byte[] body, GenericDatumReader<GenericRecord> entries)
      throws IOException {
    @SuppressWarnings("NullAway") // Avro's way to say: no object to reuse
    GenericRecord entry = entries.read(null, DecoderFactory.get().binaryDecoder(body, null));
    ByteBuffer value = (ByteBuffer) entry.get("value");
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return new Entry(entry.get("key").toString(), bytes);
  }

  private static LedgerKey key(Entry entry, Source file) throws ModelFileException {
    try {
      return LedgerKey.parse(entry.key);
    } catch (IllegalArgumentException e) {
      throw new ModelFileException(
          Sentence.of("%s is no readable model file: %s", file, e.getMessage()), e);
    }
  }
}
