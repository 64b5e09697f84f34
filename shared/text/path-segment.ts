/** One segment of a URL's path. `+` stands for itself there, and some readers do not decode it. */
export const pathSegment = (text: string): string => encodeURIComponent(text).replaceAll('%2B', '+');
