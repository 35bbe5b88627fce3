/**
 * Takes JSON records of requests. Gives their scores by any version that the model topic holds, by
 * the very decoder and scorer of the stream. Knows nothing of paths and answers.
 */
@NullMarked
package io.holdfast.service.request;

import org.jspecify.annotations.NullMarked;
