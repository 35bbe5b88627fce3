package io.holdfast.cli.registry;

import io.holdfast.schemas.wire.SchemaFile;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;

/** The schemas of the records that the tests send. */
final class RideSchemas {
  static final Schema RIDE =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "temperature", "type": "float"}, {"name": "station", "type": "string"}]}
          """);

  static final Schema PLAIN =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Plain", "fields": [
            {"name": "temperature", "type": "double"}, {"name": "count", "type": "double"}]}
          """);

  /** How the records' schema changes; each has the feature by its name or by an alias. */
  static final Map<String, Schema> CHANGES =
      new TreeMap<>(
          Map.of(
              "same",
              RIDE,
              "added",
              SchemaFile.parse(
                  """
                  {"type": "record", "name": "Ride", "fields": [
                    {"name": "note", "type": ["null", "string"], "default": null},
                    {"name": "temperature", "type": "float"},
                    {"name": "station", "type": "string"}]}
                  """),
              "reordered and promoted",
              SchemaFile.parse(
                  """
                  {"type": "record", "name": "Ride", "fields": [
                    {"name": "station", "type": "string"},
                    {"name": "temperature", "type": "double"}]}
                  """),
              "union",
              SchemaFile.parse(
                  """
                  {"type": "record", "name": "Ride", "fields": [
                    {"name": "temperature", "type": ["null", "double", "boolean"]},
                    {"name": "station", "type": ["null", "string"]}]}
                  """),
              "renamed",
              SchemaFile.parse(
                  """
                  {"type": "record", "name": "Ride", "fields": [
                    {"name": "celsius", "type": "float", "aliases": ["temperature"]},
                    {"name": "station", "type": "string"}]}
                  """)));

  private RideSchemas() {}
}
