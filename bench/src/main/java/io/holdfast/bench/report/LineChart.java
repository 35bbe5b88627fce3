package io.holdfast.bench.report;

import io.holdfast.cli.input.DataException;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Rectangle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.DefaultXYDataset;
import org.jfree.svg.SVGGraphics2D;
import org.jfree.svg.ViewBox;

/**
 * A picture of lines. Immutable.
 *
 * @param markers whether the points themselves are drawn
 */
public record LineChart(String title, String x, String y, boolean markers, List<Line> lines) {
  /** Okabe and Ito's: told apart by eyes that see less colour, too. */
  private static final List<Color> COLOURS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9));

  private static final int WIDTH = 760;
  private static final int HEIGHT = 380;
  private static final Color GRID = new Color(0xDDDDDD);

  public LineChart {
    lines = List.copyOf(lines);
  }

  /**
   * One line.
   *
   * @param x ascending; not copied and never changed
   * @param y as many
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Line(String name, double[] x, double[] y) {}

  /**
   * Writes it as SVG; the same lines give the same bytes where the fonts are the same.
   *
   * @throws DataException in one sentence, if the file cannot be written
   */
  public void save(Path svg) {
    SVGGraphics2D picture = new SVGGraphics2D(WIDTH, HEIGHT);
    picture.setDefsKeyPrefix("holdfast");
    picture.setGeomDoubleConverter(LineChart::tenths);
    picture.setTransformDoubleConverter(LineChart::tenths);
    chart().draw(picture, new Rectangle(WIDTH, HEIGHT));
    try {
      var whole = new ViewBox(0, 0, WIDTH, HEIGHT); // so that it can be shown in any size
      Files.writeString(svg, picture.getSVGElement(null, true, whole, null, null).strip() + "\n");
    } catch (IOException e) {
      throw new DataException("%s cannot be written: %s", svg, e);
    }
  }

  private static String tenths(double value) {
    long tenths = Math.round(10 * value);
    return tenths % 10 == 0
        ? Long.toString(tenths / 10)
        : String.format(Locale.ROOT, "%.1f", tenths / 10.0);
  }

  private JFreeChart chart() {
    DefaultXYDataset points = new DefaultXYDataset();
    for (Line line : lines) {
      points.addSeries(line.name(), new double[][] {line.x(), line.y()});
    }
    JFreeChart chart = ChartFactory.createXYLineChart(title, x, y, points);
    chart.setBackgroundPaint(Color.WHITE);
    chart.getTitle().setFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
    chart.getLegend().setFrame(BlockBorder.NONE);
    XYPlot plot = chart.getXYPlot();
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlineVisible(false);
    plot.setDomainGridlinePaint(GRID);
    plot.setRangeGridlinePaint(GRID);
    ((NumberAxis) plot.getRangeAxis()).setAutoRangeIncludesZero(false);
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, markers);
    renderer.setDrawSeriesLineAsPath(true);
    for (int k = 0; k < lines.size(); k++) {
      renderer.setSeriesPaint(k, COLOURS.get(k % COLOURS.size()));
      renderer.setSeriesStroke(k, new BasicStroke(1.8f));
    }
    plot.setRenderer(renderer);
    return chart;
  }
}
