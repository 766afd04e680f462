// Durations as text in custom resources. The text is kept as the user wrote it: a tool that compares
// the cluster with a file would otherwise see a difference between `1h` and `60m`.

/** Hours, minutes and seconds: `1h30m`. */
export const durationPattern = '^([0-9]+(s|m|h))+$';

/** The same, or `Never`. */
export const durationOrNeverPattern = '^(([0-9]+(s|m|h))+|Never)$';
