package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AvroFileTest {
  private static final Schema INNER =
      SchemaBuilder.record("Station").fields().requiredString("id").endRecord();
  private static final Schema SCHEMA =
      SchemaBuilder.record("Ride")
          .fields()
          .requiredLong("y")
          .name("station")
          .type()
          .optional()
          .type(INNER)
          .endRecord();

  @TempDir Path folder;

  @Test
  void rows_comeBackWithTheFilesOwnSchema() throws IOException {
    DataFile file = DataFile.open(DataSource.of(write()), Reading.PLAIN);
    assertThat(file.schema()).isEqualTo(SCHEMA);
    assertThat(file.rows()).isEqualTo(2);
    try (RowCursor cursor = file.open()) {
      assertThat(y(cursor.next(), SCHEMA)).isEqualTo(1L);
      assertThat(y(cursor.next(), SCHEMA)).isEqualTo(2L);
      assertThat(cursor.next()).isNull();
    }
  }

  @Test
  void field_nestedInAUnion_isFoundByItsPath() throws IOException {
    DataFile file = DataFile.open(DataSource.of(write()), Reading.PLAIN);
    assertThat(file.field("station.id")).contains("station.id");
    assertThat(file.field("station.name")).isEmpty();
    assertThat(file.field("station")).contains("station");
  }

  @Test
  void projection_withoutAField_keepsTheOthers() throws IOException {
    Projection projection = Projection.without(SCHEMA, "station");
    try (RowCursor cursor = DataFile.open(DataSource.of(write()), Reading.PLAIN).open()) {
      byte[] body = Objects.requireNonNull(cursor.next());
      assertThat(projection.schema().getFields()).extracting(Schema.Field::name).containsOnly("y");
      assertThat(y(projection.apply(body), projection.schema())).isEqualTo(1L);
    }
  }

  @Test
  void otherFileNamedAvro_saysSo() throws IOException {
    Path path = Files.writeString(folder.resolve("rows.avro"), "a,b\n1,2\n");
    assertThatThrownBy(() -> DataFile.open(DataSource.of(path), Reading.PLAIN))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("no readable Avro container file");
  }

  private static Object y(byte @Nullable [] body, Schema schema) throws IOException {
    byte[] row = Objects.requireNonNull(body);
    var reader = new GenericDatumReader<GenericRecord>(schema);
    return reader.read(null, DecoderFactory.get().binaryDecoder(row, null)).get("y");
  }

  private Path write() throws IOException {
    Path path = folder.resolve("rows.avro");
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(SCHEMA))) {
      writer.create(SCHEMA, path.toFile());
      GenericData.Record station = new GenericData.Record(INNER);
      station.put("id", "s1");
      writer.append(new GenericRecordBuilder(SCHEMA).set("y", 1L).set("station", station).build());
      writer.append(new GenericRecordBuilder(SCHEMA).set("y", 2L).set("station", null).build());
    }
    return path;
  }
}
