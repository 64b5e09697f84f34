/** `document`: the JSON form. `markdown`: for readers. `source`: the file as stored. */
export const bodyFormats = ['document', 'markdown', 'source'] as const;
