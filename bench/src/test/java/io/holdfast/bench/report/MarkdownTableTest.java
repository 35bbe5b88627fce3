package io.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownTableTest {
  @Test
  void table_isMarkdown() {
    assertThat(new MarkdownTable("task", "loss").add("wine", "0.2").toString())
        .isEqualTo("| task | loss |\n|---|---|\n| wine | 0.2 |\n");
  }

  @Test
  void line_ofAnotherLength_isRefused() {
    assertThatThrownBy(() -> new MarkdownTable("task", "loss").add("wine"))
        .hasMessage("a line must have 2 cells, as the header has: 1");
  }

  @ParameterizedTest
  @CsvSource({
    "0.384812, 0.3848",
    "0.0123456, 0.01235",
    "3.14159, 3.142",
    "841.417, 841.4",
    "16485.4, 16485",
    "-2.71828, -2.718",
    "0, 0",
    "NaN, -",
    "Infinity, Infinity"
  })
  void figure_hasFourSignificantDigits(double value, String text) {
    assertThat(MarkdownTable.figure(value)).isEqualTo(text);
  }

  @Test
  void change_isSignedAndInPerCent() {
    assertThat(MarkdownTable.change(1.1, 1)).isEqualTo("+10.00%");
    assertThat(MarkdownTable.change(0.995, 1)).isEqualTo("-0.50%");
    assertThat(MarkdownTable.change(0, 0)).isEqualTo("-");
    assertThat(MarkdownTable.count(412_029)).isEqualTo("412,029");
  }

  @Test
  void summary_hasMeanWorstAndInterpolatedQuantile() {
    RiskSummary summary = RiskSummary.of(4, 1, 2, 3, 10);
    assertThat(summary.mean()).isEqualTo(4);
    assertThat(summary.worst()).isEqualTo(10);
    assertThat(summary.upper()).isCloseTo(7.6, within(1e-12));
    assertThat(RiskSummary.of(5)).isEqualTo(new RiskSummary(5, 5, 5));
  }
}
