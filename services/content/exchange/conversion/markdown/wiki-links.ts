const link = /(`+)[\s\S]*?\1|!?\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/g;
const image = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i;

/** The address of a page of a wiki by its name: its file, without the extension. */
export const wikiAddressOf = (name: string): string =>
  name
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** Writes `[[Page]]`, `[[text|Page]]` and `[[image.png|alt=text]]` as links of Markdown; not in code between backticks. */
export const convertWikiLinks = (text: string): string =>
  text.replace(
    link,
    (whole: string, code: string | undefined, first: string | undefined, second: string | undefined) => {
      if (code !== undefined || first === undefined) return whole;
      if (image.test(first.trim())) return `![${/alt=(.*)/.exec(second ?? '')?.[1] ?? ''}](${wikiAddressOf(first)})`;
      const [page = '', anchor] = (second ?? first).split('#', 2);
      const address = `${wikiAddressOf(page)}${anchor ? `#${wikiAddressOf(anchor)}` : ''}`;
      return `[${first}](${address})`;
    },
  );
