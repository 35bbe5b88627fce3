package io.holdfast.schemas.settings;

import java.util.List;
import java.util.Map;

/** A part of a configuration file as it was written; {@code line} is 0 if it is from no file. */
sealed interface YamlNode {
  int line();

  /** What a user would call it. */
  String kind();

  /** A key without a value. */
  record Empty(int line) implements YamlNode {
    @Override
    public String kind() {
      return "nothing";
    }
  }

  /** One value, as its text: whether it is a number is for the reader of the key to say. */
  record Scalar(String text, int line) implements YamlNode {
    @Override
    public String kind() {
      return "a single value";
    }
  }

  /** A list. */
  record Sequence(List<YamlNode> items, int line) implements YamlNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Keys with values, in the order of the file. */
  record Mapping(Map<String, YamlNode> entries, int line) implements YamlNode {
    @Override
    public String kind() {
      return "a group of keys";
    }
  }
}
