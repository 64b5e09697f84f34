import { type Replacement, withReplacements } from '../../../../../shared/text/replacements.js';
import { parsePage } from '../../document/page.js';
import { endOfFirstHeading } from '../../document/page-source.js';
import { editFrontMatter, type FrontMatterEdits } from '../../space/front-matter/front-matter-edits.js';
import { locateParts, normalizeText } from '../../space/source-parts.js';
import { linkPlacesIn, newPositionMapper } from '../written-page.js';

/** A page as it goes into a repository. */
export interface ExportedPage {
  source: string;
  /** New addresses of links, by `<kind> <url>`. */
  addresses: ReadonlyMap<string, string>;
  /** The title, in place of the first heading. */
  title?: string | undefined;
  /** Front matter to be set. */
  edits: FrontMatterEdits;
}

/** The source as it goes into the repository; no other byte changes. */
export function rewriteExportedPage({ source, addresses, title, edits }: ExportedPage): string {
  const replacements = [
    ...(title === undefined ? [] : headingReplacement(source, title)),
    ...(addresses.size > 0 ? addressReplacements(source, addresses) : []),
  ];
  const made = withReplacements(
    source,
    replacements.sort((a, b) => a.from - b.from),
  );
  return (Object.keys(edits).length > 0 ? editFrontMatter(made, edits) : undefined) ?? made;
}

function addressReplacements(source: string, addresses: ReadonlyMap<string, string>): Replacement[] {
  return linkPlacesIn(source, undefined).flatMap(({ kind, url, from, to, without }) => {
    const address = addresses.get(`${kind} ${url}`);
    if (address === undefined) return [];
    // The place of an include is its whole tag.
    return kind === 'include' ? [{ ...without, text: `"${address}"` }] : [{ from, to, text: address }];
  });
}

const anchorAtEnd = /<a\s[^<>]{0,500}><\/a>[ \t]*$/;

/** Puts the title where the first heading stands; an anchor at its end stays. */
function headingReplacement(source: string, title: string): Replacement[] {
  const { body } = locateParts(source);
  const text = normalizeText(source.slice(body));
  const start = /^(?:[ \t]*\n)*/.exec(text)?.[0].length ?? 0;
  const end = endOfFirstHeading(text.slice(start));
  if (end === undefined) return source === '' ? [{ from: 0, to: 0, text: `# ${titleMarkdown(title)}\n` }] : [];
  const heading = text.slice(start, start + end).replace(/\n$/, '');
  const at = newPositionMapper(source.slice(body), body);
  const anchor = anchorAtEnd.exec(heading)?.[0] ?? '';
  const line = `# ${titleMarkdown(title)}${anchor ? ` ${anchor}` : ''}`;
  return [{ from: at(start), to: at(start + heading.length), text: line }];
}

/** The title as markdown; its marks are escaped where they would not be read as they are. */
function titleMarkdown(title: string): string {
  const plain = title.replace(/\s+/g, ' ').trim();
  if (parsePage(`# ${plain}\n`).title === plain) return plain;
  return plain.replace(/[\\`*_[\]<>&~$:{|#]/g, '\\$&');
}
