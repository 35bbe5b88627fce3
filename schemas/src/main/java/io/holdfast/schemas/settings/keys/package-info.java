/**
 * Each setting said once: its key, type, bounds, default and sentence. The reader of the file, the
 * command line's flags, the training JSON, the page of documentation and the JSON schema all follow
 * from these tables.
 */
@NullMarked
package io.holdfast.schemas.settings.keys;

import org.jspecify.annotations.NullMarked;
