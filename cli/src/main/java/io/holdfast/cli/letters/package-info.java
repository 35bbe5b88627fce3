/** Dead letters, read and sent in again: it knows their topic, and nothing of what they are of. */
@NullMarked
package io.holdfast.cli.letters;

import org.jspecify.annotations.NullMarked;
