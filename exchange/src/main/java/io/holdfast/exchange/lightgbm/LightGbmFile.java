package io.holdfast.exchange.lightgbm;

import io.holdfast.exchange.foreign.ExchangeException;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * What a LightGBM text model says, before any sense is made of it. Immutable.
 *
 * <pre>
 * tree                      the kind of model
 * key=value                 the header, until the first tree
 *
 * Tree=0
 * key=value                 a tree
 *
 * end of trees              since version 3
 * feature_importances:      ...
 * parameters:
 * [key: value]
 * end of parameters
 *
 * pandas_categorical:[[...], ...]
 * </pre>
 *
 * @param pandasCategorical the levels of text columns, as JSON; null if there is no such line
 */
record LightGbmFile(
    Map<String, String> header,
    List<LightGbmTree> trees,
    Map<String, String> parameters,
    @Nullable String pandasCategorical) {
  private static final String PANDAS = "pandas_categorical:";
  private static final int MOST_TREES = 100_000;

  /** Reads a model to its end. */
  static LightGbmFile read(BufferedReader lines) throws IOException, ExchangeException {
    var parser = new Parser();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      parser.line(line.strip());
    }
    return parser.file();
  }

  private static final class Parser {
    private final Map<String, String> header = new HashMap<>();
    private final Map<String, String> parameters = new HashMap<>();
    private final List<LightGbmTree> trees = new ArrayList<>();
    private @Nullable Map<String, String> tree; // the one that is being read
    private @Nullable String pandas;
    private boolean ended;
    private boolean inParameters;

    void line(String line) throws ExchangeException {
      if (line.startsWith("Tree=")) {
        endTree();
        if (ended || !line.equals("Tree=" + trees.size())) {
          throw ExchangeException.of(
              "tree %d of the model must begin with Tree=%d: %s", trees.size(), trees.size(), line);
        }
        ExchangeException.require(
            trees.size() < MOST_TREES, "a model holds at most %d trees", MOST_TREES);
        tree = new HashMap<>();
      } else if (line.startsWith(PANDAS)) {
        end();
        pandas = line.substring(PANDAS.length());
      } else if (line.equals("end of trees") || line.startsWith("feature importances:")) {
        end();
      } else if (line.equals("parameters:") || line.equals("end of parameters")) {
        end();
        inParameters = line.equals("parameters:");
      } else if (inParameters) {
        parameter(line);
      } else if (!ended) {
        keep(line, tree == null ? header : tree);
      }
    }

    private static void keep(String line, Map<String, String> lines) {
      int sign = line.indexOf('=');
      if (sign > 0) {
        lines.put(line.substring(0, sign), line.substring(sign + 1).strip());
      } else if (!line.isEmpty()) {
        lines.put(line, "");
      }
    }

    private void parameter(String line) {
      int colon = line.indexOf(':');
      if (line.startsWith("[") && line.endsWith("]") && colon > 0) {
        parameters.put(
            line.substring(1, colon), line.substring(colon + 1, line.length() - 1).strip());
      }
    }

    private void end() throws ExchangeException {
      endTree();
      ended = true;
    }

    private void endTree() throws ExchangeException {
      if (tree != null) {
        trees.add(LightGbmTree.of("tree " + trees.size() + " of the model", tree));
        tree = null;
      }
    }

    LightGbmFile file() throws ExchangeException {
      endTree();
      String sizes = header.get("tree_sizes");
      int expected = sizes == null ? trees.size() : new StringTokenizer(sizes, " ").countTokens();
      if (trees.size() != expected || !ended || inParameters) {
        throw ExchangeException.of(
            "the model is cut off: %d of %d trees are there%s",
            trees.size(), expected, inParameters ? ", and its parameters have no end" : "");
      }
      return new LightGbmFile(header, trees, parameters, pandas);
    }
  }
}
