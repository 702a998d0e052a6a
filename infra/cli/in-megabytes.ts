const MEGABYTE = 1024 * 1024;

/** Returns a size such as `1.5 MB`. */
export const inMegabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
