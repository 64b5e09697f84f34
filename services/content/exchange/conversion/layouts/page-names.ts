import { titleOfName } from '../../../format/space/paths.js';

const extension = /\.(?:md|markdown|mdx|html?|xhtml|csv)$/i;
/** The id that Notion appends to each name. */
const notionId = / ?[0-9a-f]{32}(?=$|_all$)/i;
const numbered = /^\d{1,6}[-_. ]+(?=\S)/;

export const isMarkdownPath = (path: string): boolean => /\.(?:md|markdown|mdx)$/i.test(path);
export const isHtmlPath = (path: string): boolean => /\.(?:html?|xhtml)$/i.test(path);

/** A name without its extension, as paths of pages are compared. */
export const withoutExtension = (path: string): string => path.replace(extension, '');

/** Whether a page is that of its folder. */
export const isIndexPage = (path: string): boolean => /(?:^|\/)(?:readme|index|_index)\.[a-z]+$/i.test(path);

/** The name of a file or a folder for people. */
export function readableName(name: string): string {
  const bare = withoutExtension(name).replace(notionId, '');
  return titleOfName(bare.replace(numbered, '')).slice(0, 255);
}

export const withoutNotionId = (title: string): string => title.replace(notionId, '');

/** The number that a name begins with, as some tools order pages. */
export const leadingNumber = (name: string): number | undefined => {
  const number = /^(\d{1,6})[-_. ]/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
};
