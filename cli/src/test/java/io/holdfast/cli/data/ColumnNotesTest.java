package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of columns that are hardly meant to be features as they are. */
class ColumnNotesTest {
  private static final String FIELD = "the_x0020_value";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {3, 20, 600})
  void numbersButForAFewCells_areRefusedByLineColumnAndValue(int rows) {
    assertThatThrownBy(
            () -> file(rows, i -> i == 1 ? "oops" : "" + i % 9).checkFeatures(Set.of(FIELD)))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "%s, line 3: column the value has oops, which is no number, where %d of its %d values"
                + " are: correct it, name it with --missing oops if it says that there is no value,"
                + " or declare the column with --categorical the value",
            folder.resolve("rows.csv"), rows - 1, rows);
  }

  @Test
  void datesButForAFewCells_areRefused() {
    assertThatThrownBy(
            () ->
                file(9, i -> i == 1 ? "soon" : LocalDate.EPOCH.plusDays(i).toString())
                    .checkFeatures(Set.of(FIELD)))
        .hasMessageContaining(
            "line 3: column the value has soon, which is no ISO 8601 date or time");
  }

  @Test
  void numberBeyondAllDoubles_isRefused() {
    assertThatThrownBy(() -> file(9, i -> i == 4 ? "-1e400" : "1.5").checkFeatures(Set.of(FIELD)))
        .hasMessageContaining("line 6: column the value has -1e400, which is beyond all numbers");
  }

  @Test
  void someNumbersAmongWords_areCategories_whichIsSaid() throws IOException {
    DataFile file = file(5, i -> i < 2 ? "" + i : "C" + i);
    file.checkFeatures(Set.of(FIELD));
    assertThat(file.notes(Set.of(FIELD)))
        .containsExactly(
            "column the value is taken for categories, though 2 of its 5 values are numbers (the"
                + " first that is none is C2 in line 4): say so with --categorical the value, or"
                + " correct the others");
  }

  @Test
  void wholeNumbersBeyondDoubles_areSaid() throws IOException {
    assertThat(notes(9, i -> "900719925474099" + i))
        .containsExactly(
            "column the value has 6 whole numbers beyond 2^53 (the first is 9007199254740993 in"
                + " line 5), which are rounded: declare it with --categorical the value if each is"
                + " a name, or leave it out with --exclude the value");
  }

  @Test
  void textThatIsNewInEachRow_isSaid() throws IOException {
    assertThat(notes(200, i -> "C" + i))
        .containsExactly(
            "column the value is taken for categories, and most of its values occur once: leave it"
                + " out with --exclude the value unless they come again");
  }

  @Test
  void textThatComesAgain_howeverLate_isNoMatter() throws IOException {
    var random = new SplittableRandom(1);
    assertThat(notes(200, i -> "C" + i % 90)).isEmpty();
    assertThat(notes(200, i -> "C" + (i < 20 ? i : 20 + i % 90))).isEmpty();
    assertThat(notes(40_000, i -> "C" + random.nextInt(2_000))).isEmpty();
    assertThat(notes(200, i -> i < 19 ? "C" + i : "")).isEmpty();
  }

  /** What tells rows apart says nothing of rows to come. */
  @Test
  void columnThatCounts_orIsAnIdentity_orADate_isSaidWithTheFlag() throws IOException {
    for (IntFunction<String> up :
        List.<IntFunction<String>>of(
            Integer::toString, i -> "" + i / 4, i -> i % 3 == 0 ? "" : i + ".5", i -> "17e" + i)) {
      assertThat(notes(200, up))
          .containsExactly(
              "column the value only counts up, as a time or a row's number does, and rows to come"
                  + " are beyond all that is learned of it: leave it out with --exclude the value");
    }
    assertThat(notes(200, i -> "" + (500 - i)).getFirst()).contains("only counts down");
    assertThat(notes(200, i -> "" + i * 7_919 % 10_007).getFirst())
        .contains("another whole number in every row", "--exclude the value if it is one");
    assertThat(notes(40_000, i -> "" + i * 7_919L % 1_000_003).getFirst())
        .contains("another whole number in every row");
    assertThat(notes(20, i -> LocalDate.EPOCH.plusDays(i % 5).toString()).getFirst())
        .contains("has dates", "--dates the value", "--exclude the value");
  }

  @Test
  void numberThatIsMeasured_isNoMatter() throws IOException {
    var random = new SplittableRandom(2);
    assertThat(notes(2_000, i -> "" + random.nextInt(20_000))).isEmpty();
    assertThat(notes(2_000, i -> "" + random.nextDouble())).isEmpty();
    assertThat(notes(99, i -> "" + i * 7_919 % 10_007)).as("too few to tell").isEmpty();
    assertThat(notes(200, i -> "" + i / 100)).as("two groups").isEmpty();
    assertThat(notes(200, i -> "7")).isEmpty();
  }

  @Test
  void columnThatIsNoFeature_isNoMatter() throws IOException {
    DataFile file = file(200, i -> i == 7 ? "oops" : "" + i);
    file.checkFeatures(Set.of("label"));
    assertThat(file.notes(Set.of("label"))).isEmpty();
  }

  @Test
  void decimalsOfAnAvroFile_areSaidAsColumnsAre() throws IOException {
    Schema decimal = LogicalTypes.decimal(20, 2).addToSchema(Schema.create(Schema.Type.BYTES));
    IntFunction<ByteBuffer> beyond =
        i ->
            ByteBuffer.wrap(
                new BigInteger(i % 2 == 0 ? "900719925474099300" : "100").toByteArray());
    assertThat(avroNotes(decimal, beyond::apply).getFirst())
        .contains("whole numbers beyond 2^53", "9007199254740993");
    assertThat(
            avroNotes(
                decimal,
                i -> ByteBuffer.wrap(BigInteger.valueOf(i * 7_919L % 1_013).toByteArray())))
        .isEmpty();
  }

  /** An Avro file holds the same columns, and the same is said of them. */
  @Test
  void fieldsOfAnAvroFile_areSaidAsColumnsAre() throws IOException {
    Schema number = Schema.create(Schema.Type.DOUBLE);
    Schema whole = Schema.create(Schema.Type.LONG);
    Schema date = LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
    Schema text = Schema.create(Schema.Type.STRING);
    assertThat(avroNotes(number, i -> i % 3 == 0 ? null : i + 0.5))
        .isEqualTo(notes(200, i -> i % 3 == 0 ? "" : i + ".5"))
        .hasSize(1);
    assertThat(avroNotes(whole, i -> i * 7_919L % 10_007))
        .isEqualTo(notes(200, i -> "" + i * 7_919 % 10_007))
        .hasSize(1);
    assertThat(avroNotes(whole, i -> i % 2 == 0 ? 9_007_199_254_740_993L : 1L).getFirst())
        .contains("has 100 whole numbers beyond 2^53 (the first is 9007199254740993 in row 1)");
    assertThat(avroNotes(date, i -> 20_000 + i % 5))
        .isEqualTo(notes(20, i -> LocalDate.EPOCH.plusDays(i % 5).toString()))
        .hasSize(1);
    assertThat(avroNotes(text, i -> "C" + i)).isEqualTo(notes(200, i -> "C" + i)).hasSize(1);
    var random = new SplittableRandom(2);
    assertThat(avroNotes(number, i -> random.nextDouble())).isEmpty();
    assertThat(avroNotes(number, i -> i % 2 == 0 ? Double.NaN : 7.0)).isEmpty();
    assertThat(avroNotes(text, i -> "C" + i % 90)).isEmpty();
  }

  private List<String> avroNotes(Schema type, IntFunction<@Nullable Object> value)
      throws IOException {
    Schema nullable = Schema.createUnion(Schema.create(Schema.Type.NULL), type);
    Schema schema = Schema.createRecord("Row", null, "rows", false);
    schema.setFields(List.of(new Schema.Field(FIELD, nullable)));
    Path path = folder.resolve("rows.avro");
    try (var writer = new DataFileWriter<>(new GenericDatumWriter<GenericRecord>(schema))) {
      writer.create(schema, path.toFile());
      for (int row = 0; row < 200; row++) {
        GenericRecord record = new GenericData.Record(schema);
        record.put(FIELD, value.apply(row));
        writer.append(record);
      }
    }
    return DataFile.open(DataSource.of(path), Reading.PLAIN).notes(Set.of(FIELD));
  }

  private List<String> notes(int rows, IntFunction<String> value) throws IOException {
    return file(rows, value).notes(Set.of(FIELD));
  }

  private DataFile file(int count, IntFunction<String> value) throws IOException {
    String rows =
        IntStream.range(0, count)
            .mapToObj(i -> value.apply(i) + "," + i % 2 + "\n")
            .collect(Collectors.joining());
    Path path = Files.writeString(folder.resolve("rows.csv"), "the value,label\n" + rows);
    return DataFile.open(DataSource.of(path), Reading.PLAIN);
  }
}
