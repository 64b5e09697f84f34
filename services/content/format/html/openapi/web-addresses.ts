/** Characters of an address. */
const maxAddressLength = 4096;

function addressOf(value: unknown, schemes: RegExp): string | undefined {
  if (typeof value !== 'string' || value.length > maxAddressLength || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  return schemes.test(url.protocol) && url.username === '' && url.password === '' ? url.href : undefined;
}

/** The address of a link to another site, or of a mail; undefined for anything else, such as scripts and relative addresses. */
export const safeLink = (value: unknown): string | undefined => addressOf(value, /^(?:https?|mailto):$/);

/** The address of an image or a frame, by https; undefined for anything else. */
export const safeSource = (value: unknown): string | undefined => addressOf(value, /^https:$/);
