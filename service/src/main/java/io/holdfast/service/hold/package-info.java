/**
 * Takes what stream threads poll. Gives on what can be told the schema of, and holds partitions
 * back whose next record's schema nobody can tell now, so that nothing is lost and everything else
 * goes on. Knows nothing of what becomes of records.
 */
@NullMarked
package io.holdfast.service.hold;

import org.jspecify.annotations.NullMarked;
