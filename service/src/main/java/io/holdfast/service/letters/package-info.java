/** Dead letters over HTTP: what could not be used, and sending it in again. */
@NullMarked
package io.holdfast.service.letters;

import org.jspecify.annotations.NullMarked;
