/**
 * Takes the runtime's status. Gives health, and what every HTTP answer of the service has in
 * common: headers and the shape of errors. Knows nothing of models or Kafka.
 */
@NullMarked
package io.holdfast.service.ops;

import org.jspecify.annotations.NullMarked;
