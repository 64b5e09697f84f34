/** Encodes every character that could end an address in markdown or HTML. */
export const escapeAddress = (address: string): string =>
  address.replace(/[\s"'()<>\\`]/g, (sign) =>
    sign < '\x7f' ? `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}` : encodeURIComponent(sign),
  );
