import { apiError } from '../../../../shared/errors/errors.js';
import type { SearchEntry } from '../../../../shared/store/search-port.js';
import { titleTokens, tokenize } from '../../../../shared/text/tokens.js';
import { type AnyNode, type BlockNode, childNodesOf, idsOfRef, type JSONDocument } from '../document/document-model.js';
import { evaluateSource } from '../document/evaluate.js';
import { findLinkPlaces, type PlacedMarkdown } from '../document/links/link-places.js';
import { withTitleHeading } from '../document/page.js';
import { splitSource } from '../document/page-source.js';
import { plainText } from '../document/plain-text.js';
import { splitIntoSections } from '../document/sections.js';
import {
  type PageSection,
  type ReadPage,
  type RefusedPage,
  readPages,
  storedSections,
} from '../document/stored-page.js';
import { type Outline, readOutline } from '../space/outline/outline.js';
import { parseSpaceConfig, type SpaceConfig } from '../space/settings/space-config.js';
import { type ExportedPage, rewriteExportedPage } from './exports/exported-page.js';
import { newExpressions } from './expression-inputs.js';
import { type DocumentReading, document, type SourceReading } from './page-document.js';
import { sectionsToSearch } from './searched-sections.js';
import { type WrittenSource, type WrittenText, writeSource } from './written-page.js';

export { mergeSources } from '../document/edits/merge-sources.js';
export { revertBlocks } from '../document/edits/revert-blocks.js';
export { settleSources } from '../document/edits/settle-sources.js';
export { readPages } from '../document/stored-page.js';
export { textsToTranslate, translatePage } from '../document/translation/page-translation.js';
export { readAnswer } from '../texts/read-answer.js';
export { readTexts } from '../texts/read-text.js';
export { exportedSettings } from './exports/exported-settings.js';
export { bodyDifference, lineDifference } from './html/body-difference.js';
export { lateHtml } from './html/late-html.js';
export { bodyHtml } from './html/page-html.js';
export { textsHtml } from './html/text-html.js';
export { imageDimensions } from './image-dimensions.js';
export { document } from './page-document.js';
export { oEmbed, webPage } from './web-page.js';

/** The new source of a page with the places of its links, and what is parsed from it. */
export type WrittenPage = (WrittenText & ReadPage) | RefusedPage;

export function writtenPage(written: WrittenSource): WrittenPage {
  const made = writeSource(written);
  if ('refused' in made) return made;
  const [page] = readPages([made.source]) as [ReadPage | RefusedPage];
  return 'refused' in page ? page : { ...made, ...page };
}

export const exportedPages = (pages: ExportedPage[]): string[] => pages.map(rewriteExportedPage);

/** A tree to make the outline of: its files, the texts of its settings, the titles of its pages and the files that they mention. */
export interface OutlinedTree {
  files: { path: string }[];
  projectDirectory: string | undefined;
  texts: ReadonlyMap<string, string>;
  titles: ReadonlyMap<string, string>;
  mentioned: ReadonlySet<string>;
}

export function outline({ files, projectDirectory, texts, titles, mentioned }: OutlinedTree): Outline {
  return readOutline(files, {
    projectDirectory,
    readText: (path) => texts.get(path),
    titleOf: (path) => titles.get(path),
    isReferenced: (path) => mentioned.has(path),
  });
}

export const spaceConfig = (text: string | undefined): SpaceConfig => parseSpaceConfig(text);

export interface IndexedPage {
  id: string;
  title: string;
  description: string;
  sections: PageSection[];
}

export function searchEntries(pages: IndexedPage[]): SearchEntry[] {
  return pages.map(({ id, title, description, sections }) => ({
    id,
    title: titleTokens(title),
    headings: [title, ...sections.map((section) => section.title ?? '')].flatMap(tokenize),
    body: [...tokenize(description), ...sections.flatMap((section) => tokenize(section.text))],
  }));
}

/** Bytes. */
const maxDocument = 64 * 1024 * 1024;

/** A document as JSON in UTF-8: it is only passed on, and reading a long one would take the other process as long. */
export function encodedDocument(reading: DocumentReading): Buffer {
  const bytes = Buffer.from(JSON.stringify(document(reading)));
  if (bytes.length > maxDocument)
    throw apiError('UNPROCESSABLE', 'The page is larger than 64 MiB as a document; read it as markdown', 'too_complex');
  return bytes;
}

export const blockKeys = (reading: DocumentReading): string[] => keysOfBlocks(document(reading));

export const blockPreview = ({ key, ...reading }: DocumentReading & { key: string }): string | undefined =>
  previewOfBlock(document(reading), key);

/** The ids of files and reusable content that the body shows its reader. */
export function idsIn({ source, refs, inputs }: DocumentReading): string[] {
  const known = new Set([...refs.values()].flatMap(idsOfRef));
  const shown = new Set<string>();
  const open: unknown[] = [document({ source, refs, inputs })];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && known.has(value)) shown.add(value);
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner);
  }
  return [...shown];
}

interface Titled extends SourceReading {
  title?: string | undefined;
  heading?: string | undefined;
}

/** Without a `title`, the body only: the form in which reusable content is included. */
export function markdown({ source, title, heading, inputs }: Titled): PlacedMarkdown {
  const evaluated = inputs ? evaluateSource(source, newExpressions(inputs)) : source;
  const text = title === undefined ? splitSource(evaluated).body : withTitleHeading(evaluated, title, heading);
  return { text, places: findLinkPlaces(text) };
}

/** The sections that a search compares with its query. */
export function sections({ source, title, inputs }: SourceReading & { title: string }): PageSection[] {
  return sectionsToSearch(
    storedSections(splitIntoSections(document({ source, refs: new Map(), title, inputs }).nodes).sections),
  );
}

/** Characters. */
const maxPreview = 200;

/** Every block of a document, at any depth: in cells of tables and in notes as well. */
function* walkBlocks({ nodes }: JSONDocument): Generator<BlockNode> {
  const open: AnyNode[] = [...nodes];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.object === 'block') yield node;
    for (const child of childNodesOf(node)) open.push(child);
  }
}

const keysOfBlocks = (document: JSONDocument): string[] => [...walkBlocks(document)].map(({ key }) => key);

/** The text of a block in one line; undefined where the document has no such block. */
function previewOfBlock(document: JSONDocument, key: string): string | undefined {
  for (const block of walkBlocks(document)) if (block.key === key) return toPreviewLine(plainText([block]));
  return undefined;
}

/** Without half a character at its end. */
const toPreviewLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxPreview)
    .replace(/[\uD800-\uDBFF]$/, '');
