package io.holdfast.service.prediction;

import io.holdfast.service.request.AskedVersions.Asked;
import io.micronaut.serde.annotation.Serdeable;

/**
 * What records were scored by.
 *
 * @param hash the version's, hexadecimal
 * @param gamma whose leaf values scored
 * @param serving whether it is what scores the stream
 * @param calibrated whether it corrects probabilities, by labels that came; raw scores stay
 */
@Serdeable
public record VersionUsed(
    String model, long version, String hash, double gamma, boolean serving, boolean calibrated) {

  static VersionUsed of(Asked asked) {
    var version = asked.active().version();
    return new VersionUsed(
        asked.model(),
        version.number(),
        version.hash().hex(),
        version.servedGamma(),
        asked.serves(),
        version.calibration() != null);
  }
}
