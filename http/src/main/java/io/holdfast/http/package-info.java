/**
 * What the HTTP servers of service and trainer have in common: how they are set up, how long a
 * request may take to arrive, what media types they take and give, and the metrics of all models.
 * Knows nothing of what the programs do.
 */
@NullMarked
package io.holdfast.http;

import org.jspecify.annotations.NullMarked;
