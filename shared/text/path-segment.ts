/** Encodes one segment of a URL path. `+` stays: it stands for itself there, and some readers do not decode it. */
export const pathSegment = (text: string): string => encodeURIComponent(text).replaceAll('%2B', '+');
