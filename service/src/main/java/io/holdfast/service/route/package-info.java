/**
 * Takes what the processors send out, with the partition it belongs to. Gives the sinks that write
 * it there, and the dead letters with their headers. Knows nothing of models, features or labels.
 */
@NullMarked
package io.holdfast.service.route;

import org.jspecify.annotations.NullMarked;
