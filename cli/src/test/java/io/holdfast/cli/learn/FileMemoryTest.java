package io.holdfast.cli.learn;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileMemoryTest {
  @TempDir Path folder;

  @Test
  void rowsThatDoNotFit_areRefusedBeforeTheyAreRead() throws IOException {
    Path path = Files.writeString(folder.resolve("rows.csv"), "a,b\n" + "1,2\n".repeat(70_000));
    DataFile file = DataFile.open(DataSource.of(path), Reading.PLAIN);
    FileRows.checkMemory(file, 2, 8L << 20);
    assertThatThrownBy(() -> FileRows.checkMemory(file, 2, 1L << 20))
        .isInstanceOf(DataException.class)
        .hasMessageContainingAll(
            "rows.csv has 70,000 rows of 2 features, 1 MB", "HOLDFAST_JAVA_OPTS=-Xmx");
    assertThatThrownBy(() -> FileRows.checkMemory(file, 1_000_000, Long.MAX_VALUE))
        .hasMessageContaining("up to 2,147 rows");
  }
}
