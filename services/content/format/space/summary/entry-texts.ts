import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { splitEmoji } from '../../markdown/emoji.js';
import { slugOf } from '../paths.js';
import { type AddressStyle, entryAddress, linkTitleText } from './entry-addresses.js';
import type { ListedPage } from './listed-pages.js';
import { type ComputedSource, parseSummary, type SummaryEntry } from './summary.js';

/** The text of a new item after its marker; the lines after the first one are indented as its content is. */
export function itemText(page: ListedPage, style: AddressStyle): string {
  if (page.computed) return computedText(page.title, page.computed);
  const title = shownTitle(page);
  const address = entryAddress(page, style);
  if (address === '' && page.linkTitle === undefined) return plainTitle(title) ?? `[${linkedTitle(title)}]()`;
  return `[${linkedTitle(title)}](${address || '<>'}${linkTitleText(page)})`;
}

/** The text of a group after the `#`, with the anchor that keeps its slug. */
export function headingText({ title, slug }: ListedPage): string {
  return headingTitle(title) + headingAnchor(title, slug);
}

/** The anchor for a slug that the title does not give, with the space before it. */
export function headingAnchor(title: string, slug: string): string {
  return slugOf(title, 'group') === slug ? '' : ` <a href="#${slug}" id="${slug}"></a>`;
}

/** The title with the emoji of the page. `written`: the emoji that the entry has where the file of the page names its own. */
export function shownTitle({ title, emoji, fileEmoji }: ListedPage, written?: string): string {
  // An emoji that begins the title would be read as that of the page.
  const own = splitEmoji(title).emoji === undefined ? written : (written ?? emoji);
  const first = fileEmoji === undefined ? emoji : own;
  return first === undefined ? title : `${first} ${title}`;
}

/** The title as it stands in the brackets of a link. */
export function linkedTitle(title: string): string {
  const reads = (text: string) => {
    const entry = readAlone(`* [${text}](x)`);
    return entry?.type === 'item' && entry.title === title && entry.target?.kind === 'file' && !entry.linkTitle;
  };
  return escapings(title).find(reads) ?? escaped(title);
}

/** The title as the text of an item; undefined where it would be read as more than text. */
export function plainTitle(title: string): string | undefined {
  return escapings(title).find((text) => {
    const entry = readAlone(`* ${text}`);
    return entry?.type === 'item' && entry.title === title && !entry.target && !entry.linkTitle;
  });
}

export function headingTitle(title: string): string {
  const reads = (text: string) => {
    const entry = readAlone(`## ${text}`);
    return entry?.type === 'group' && entry.title === title && entry.slug === undefined;
  };
  return escapings(title).find(reads) ?? escaped(title);
}

function readAlone(line: string): SummaryEntry | undefined {
  const { entries, parts } = parseSummary(line);
  return parts.length === 1 ? entries[0] : undefined;
}

const escaped = (title: string) => title.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** The ways to write a title, the plainest first. Signs that what follows may give a meaning are always escaped. */
const escapings = (title: string): string[] => [
  title.replace(/[[\]\\`<]|\$(?=\$)|^\^/g, '\\$&'),
  title.replace(/[[\]\\*_`<$~]|^\^|&(?=[#\w])/g, '\\$&'),
  escaped(title),
];

/** The block of YAML that is read as the computed page, with the title where it does not follow from the source. */
function computedText(title: string, computed: ComputedSource): string {
  const { type, props, dependencies } = computed;
  const source = {
    type,
    ...(Object.keys(props).length > 0 && { props }),
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
  };
  const texts = [source, { title, ...source }].flatMap((fields) => [yamlOf(fields), yamlOf(fields, 'QUOTE_DOUBLE')]);
  const fenced = texts.map((yaml) => `\`\`\`yaml\n${yaml}\n\`\`\``);
  const reads = (text: string) => {
    const entry = readAlone(`* ${text.replaceAll('\n', '\n  ')}`);
    const target = entry?.type === 'item' ? entry.target : undefined;
    return entry?.title === title && target?.kind === 'computed' && isDeepStrictEqual(target.computed, computed);
  };
  return fenced.find(reads) ?? fenced.at(-1) ?? '';
}

/** The line of YAML that gives a computed page its title. */
export const yamlTitle = (title: string): string => yamlOf({ title });

function yamlOf(fields: object, defaultStringType: 'PLAIN' | 'QUOTE_DOUBLE' = 'PLAIN'): string {
  const yaml = stringify(fields, {
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedAsJSON: true,
    aliasDuplicateObjects: false,
    defaultStringType,
  });
  return yaml.trimEnd();
}
