package io.holdfast.service.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.service.request.JsonRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A record, and what might be otherwise in it: fields of a change take the place of its own. */
record WhatIfRequest(JsonNode record, List<JsonNode> changes) {
  static final int MOST_CHANGES = 100;

  static WhatIfRequest parse(byte[] body) {
    JsonNode root = JsonRecords.parse(body);
    JsonNode record = root.path("record");
    JsonNode changes = root.path("changes");
    boolean right =
        root.size() == 2 && record.isObject() && changes.isArray() && !changes.isEmpty();
    for (JsonNode change : changes) {
      right &= change.isObject();
    }
    if (!right) {
      throw new ProblemException(
          ProblemKind.MALFORMED_BODY,
          """
          the body must be a JSON object of a record and changes, such as\
           {"record": {"temperature": 12}, "changes": [{"temperature": 20}]}\
          """);
    }
    JsonRecords.checkNumber(changes.size(), MOST_CHANGES);
    List<JsonNode> list = new ArrayList<>();
    changes.forEach(list::add);
    return new WhatIfRequest(record, list);
  }

  /** The record as it is, then with each change. */
  List<JsonRecords.Given> records() {
    List<JsonRecords.Given> records = new ArrayList<>();
    records.add(new JsonRecords.Given(record, ""));
    for (int i = 0; i < changes.size(); i++) {
      ObjectNode changed = record.deepCopy();
      merge(changed, changes.get(i));
      records.add(new JsonRecords.Given(changed, "change " + i + ": "));
    }
    return records;
  }

  private static void merge(ObjectNode into, JsonNode change) {
    for (Map.Entry<String, JsonNode> field : change.properties()) {
      if (field.getValue().isObject() && into.get(field.getKey()) instanceof ObjectNode inner) {
        merge(inner, field.getValue());
      } else {
        into.set(field.getKey(), field.getValue());
      }
    }
  }
}
