import { escapeHtml } from '../text/escaped-html.js';

/** The signs by which mail programs know addresses of sites and people, to make links of them. */
const linking = /(?<=[\p{L}\p{N}])[.:@。．｡](?=[\p{L}\p{N}/])/gu;

/**
 * Puts text that people wrote on one line of at most `most` characters: strangers receive it in our name. Nothing in it becomes a link, since an
 * invisible space follows the signs of an address.
 */
export function safeLine(text: string, max = 100): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = [...plain];
  const cut = characters.length <= max ? plain : `${characters.slice(0, max - 1).join('')}…`;
  return cut.replace(linking, '$&\u200b');
}

/** A paragraph of a mail in HTML. */
export const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;

/** A paragraph of a mail in HTML that is a link. */
export const linkParagraph = (url: string, text = url): string =>
  `<p><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`;

/** A mail in HTML, from its paragraphs. */
export const mailPage = (subject: string, paragraphs: readonly string[]): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
${paragraphs.join('\n')}
</body>
</html>
`;
