package io.holdfast.schemas.wire;

import org.apache.avro.util.ClassSecurityValidator;

/** The one place that tells Avro which generated classes it may load. Stateless. */
final class GeneratedClasses {
  private GeneratedClasses() {}

  /** Allows those of our contracts, beside what was allowed before. */
  static void allow() {
    try {
      Rule.set();
    } catch (NoClassDefFoundError _) {
      // Avro before 1.12.2, which an engine may bring (Spark 4.2 does), has no such rule.
    }
  }

  /** Apart, so that nothing of Avro's rule is looked for before it is used. */
  private static final class Rule {
    static void set() {
      ClassSecurityValidator.setGlobal(
          ClassSecurityValidator.composite(
              ClassSecurityValidator.getGlobal(),
              type -> type.getPackageName().equals("io.holdfast.schemas.avro")));
    }
  }
}
