import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { splitLeadingEmoji } from '../../markdown/emoji.js';
import { slugOf } from '../paths.js';
import { type AddressStyle, writeEntryAddress, writeLinkTitle } from './entry-addresses.js';
import type { ListedPage } from './listed-pages.js';
import { type ComputedSource, parseSummary, type SummaryEntry } from './summary.js';

/** The text of a new item after its marker; the lines after the first one are indented as its content is. */
export function writeItemText(page: ListedPage, style: AddressStyle): string {
  if (page.computed) return writeComputedYaml(page.title, page.computed);
  const title = titleWithEmoji(page);
  const address = writeEntryAddress(page, style);
  if (address === '' && page.linkTitle === undefined) return escapeForItem(title) ?? `[${escapeForLink(title)}]()`;
  return `[${escapeForLink(title)}](${address || '<>'}${writeLinkTitle(page)})`;
}

/** The text of a group after the `#`, with the anchor that keeps its slug. */
export function writeHeadingText({ title, slug }: ListedPage): string {
  return escapeForHeading(title) + writeHeadingAnchor(title, slug);
}

/** The anchor for a slug that the title does not give, with the space before it. */
export function writeHeadingAnchor(title: string, slug: string): string {
  return slugOf(title, 'group') === slug ? '' : ` <a href="#${slug}" id="${slug}"></a>`;
}

/** The title with the emoji of the page. `written`: the emoji that the entry has where the file of the page names its own. */
export function titleWithEmoji({ title, emoji, fileEmoji }: ListedPage, written?: string): string {
  // An emoji that begins the title would be read as that of the page.
  const own = splitLeadingEmoji(title).emoji === undefined ? written : (written ?? emoji);
  const first = fileEmoji === undefined ? emoji : own;
  return first === undefined ? title : `${first} ${title}`;
}

/** The title as it stands in the brackets of a link. */
export function escapeForLink(title: string): string {
  const readsBack = (text: string) => {
    const entry = readLineAlone(`* [${text}](x)`);
    return entry?.type === 'item' && entry.title === title && entry.target?.kind === 'file' && !entry.linkTitle;
  };
  return escapings(title).find(readsBack) ?? escapeAllSigns(title);
}

/** The title as the text of an item; undefined where it would be read as more than text. */
export function escapeForItem(title: string): string | undefined {
  return escapings(title).find((text) => {
    const entry = readLineAlone(`* ${text}`);
    return entry?.type === 'item' && entry.title === title && !entry.target && !entry.linkTitle;
  });
}

export function escapeForHeading(title: string): string {
  const readsBack = (text: string) => {
    const entry = readLineAlone(`## ${text}`);
    return entry?.type === 'group' && entry.title === title && entry.slug === undefined;
  };
  return escapings(title).find(readsBack) ?? escapeAllSigns(title);
}

function readLineAlone(line: string): SummaryEntry | undefined {
  const { entries, parts } = parseSummary(line);
  return parts.length === 1 ? entries[0] : undefined;
}

const escapeAllSigns = (title: string) => title.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** The ways to write a title, the plainest first. Signs that what follows may give a meaning are always escaped. */
const escapings = (title: string): string[] => [
  title.replace(/[[\]\\`<]|\$(?=\$)|^\^/g, '\\$&'),
  title.replace(/[[\]\\*_`<$~]|^\^|&(?=[#\w])/g, '\\$&'),
  escapeAllSigns(title),
];

/** The block of YAML that is read as the computed page, with the title where it does not follow from the source. */
function writeComputedYaml(title: string, computed: ComputedSource): string {
  const { type, props, dependencies } = computed;
  const source = {
    type,
    ...(Object.keys(props).length > 0 && { props }),
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
  };
  const texts = [source, { title, ...source }].flatMap((fields) => [
    writeYaml(fields),
    writeYaml(fields, 'QUOTE_DOUBLE'),
  ]);
  const fenced = texts.map((yaml) => `\`\`\`yaml\n${yaml}\n\`\`\``);
  const readsBack = (text: string) => {
    const entry = readLineAlone(`* ${text.replaceAll('\n', '\n  ')}`);
    const target = entry?.type === 'item' ? entry.target : undefined;
    return entry?.title === title && target?.kind === 'computed' && isDeepStrictEqual(target.computed, computed);
  };
  return fenced.find(readsBack) ?? fenced.at(-1) ?? '';
}

/** The line of YAML that gives a computed page its title. */
export const writeYamlTitle = (title: string): string => writeYaml({ title });

function writeYaml(fields: object, defaultStringType: 'PLAIN' | 'QUOTE_DOUBLE' = 'PLAIN'): string {
  const yaml = stringify(fields, {
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedAsJSON: true,
    aliasDuplicateObjects: false,
    defaultStringType,
  });
  return yaml.trimEnd();
}
