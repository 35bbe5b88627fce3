package io.holdfast.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.learn.LastQuarter;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.FeatureDrift;
import io.holdfast.schemas.avro.WindowReport;
import java.util.List;

/** Windows' reports as people and machines read them. Stateless. */
public final class Reports {
  private Reports() {}

  /** What learning was worth: a share of the constant model's loss, or the difference to it. */
  public static String gain(LastQuarter quarter) {
    boolean share = !Double.isNaN(quarter.margin());
    double gain = share ? quarter.margin() : quarter.constantLoss() - quarter.loss();
    String size =
        share ? Sentence.of("%.1f%%", 100 * Math.abs(gain)) : Table.figure(Math.abs(gain));
    return size + (gain >= 0 ? " less" : " more");
  }

  public static ArrayNode json(List<WindowReport> windows) {
    ArrayNode array = Json.array();
    long[] ends = DriftTable.ends(windows);
    for (int k = 0; k < ends.length; k++) {
      array.add(json(windows.get(k), ends[k]));
    }
    return array;
  }

  private static ObjectNode json(WindowReport window, long end) {
    ObjectNode node = Json.object();
    node.put("window", window.getWindow());
    node.put("rows", window.getRows());
    node.put("upToRow", end);
    ArrayNode served = node.putArray("servedVersions");
    window.getServedVersions().forEach(served::add);
    Json.put(node, "loss", window.getLoss());
    Json.put(node, "constantLoss", window.getConstantLoss());
    node.set("metrics", Json.figures(window.getMetrics()));
    if (window.getExpected() != null) {
      ObjectNode expected = node.putObject("expected");
      expected.set("metrics", Json.figures(window.getExpected().getMetrics()));
      expected.set("uncorrected", Json.figures(window.getExpected().getUncorrected()));
      expected.put("labelledRows", window.getExpected().getLabelledRows());
    }
    ArrayNode environments = node.putArray("environments");
    for (EnvironmentReport environment : window.getEnvironments()) {
      ObjectNode one = environments.addObject();
      one.put("environment", environment.getEnvironment());
      one.put("rows", environment.getRows());
      Json.put(one, "loss", environment.getLoss());
      Json.put(one, "constantLoss", environment.getConstantLoss());
      one.set("metrics", Json.figures(environment.getMetrics()));
    }
    ObjectNode unusable = node.putObject("unusable");
    window.getUnusable().forEach(unusable::put);
    if (window.getDrift() != null) {
      node.set("drift", json(window.getDrift()));
    }
    node.put("publishedVersion", window.getPublishedVersion());
    node.put("decision", window.getDecision());
    node.put("treesAppended", window.getTreesAppended());
    node.put("treesTotal", window.getTreesTotal());
    node.put("trainingMillis", window.getTrainingMillis());
    return node;
  }

  private static ObjectNode json(DriftReport drift) {
    ObjectNode node = Json.object().put("tests", drift.getTests());
    ArrayNode alarms = node.putArray("alarms");
    drift.getAlarms().forEach(alarms::add);
    node.put("lossRisen", drift.getLossRisen());
    node.put("lossRisenByPageHinkley", drift.getLossRisenByPageHinkley());
    node.put("rowsSinceRise", drift.getRowsSinceRise());
    ArrayNode environments = node.putArray("newEnvironments");
    drift.getNewEnvironments().forEach(environments::add);
    ArrayNode features = node.putArray("features");
    for (FeatureDrift feature : drift.getFeatures()) {
      ObjectNode one = features.addObject().put("environment", feature.getEnvironment());
      one.put("feature", ColumnName.of(feature.getFeature()));
      Json.put(one, "psi", feature.getPsi());
      Json.put(one, "ks", feature.getKs());
      Json.put(one, "p", feature.getP());
      one.put("alarm", feature.getAlarm());
    }
    return node;
  }

  public static ObjectNode json(LastQuarter quarter) {
    ObjectNode node = Json.object();
    node.put("windows", quarter.windows());
    node.put("rows", quarter.rows());
    Json.put(node, "loss", quarter.loss());
    Json.put(node, "constantLoss", quarter.constantLoss());
    Json.put(node, "margin", quarter.margin());
    return node;
  }
}
