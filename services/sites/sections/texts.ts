/** What a request asks of an optional text: an empty text clears the field, as null does. */
export const clearedByEmpty = (text: string | null | undefined): string | null | undefined =>
  text === '' ? null : text;
