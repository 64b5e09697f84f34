import { escapeAddress } from '../../../../../shared/text/escaped-address.js';
import { type Replacement, withReplacements } from '../../../../../shared/text/replacements.js';
import { newId } from '../../../../../shared/values/ids.js';
import { eachInSlices } from '../../../../../shared/work/slices.js';
import { percentDecode } from '../../../format/space/paths.js';
import { locateParts } from '../../../format/space/source-parts.js';
import { bounds } from '../../conversion/bounds.js';
import { inlineScheme } from '../../conversion/inline-images.js';
import type { ConvertedPage, GivenFile } from '../../conversion/model.js';
import { newPageId } from '../page-ids.js';
import type { Progress } from './progress.js';
import { eachGathered, type Gathered, type GatheredPage, type SourceTarget } from './sources/gathered.js';

/** A page with the id that it gets. */
export interface NewPage {
  id: string;
  title: string;
  /** Absent for a page that only holds others. */
  source?: string;
  isGroup?: true;
  children: NewPage[];
}

/** A file with the id that it gets. */
export interface NewFile {
  id: string;
  given: GivenFile;
}

export interface Linked {
  pages: NewPage[];
  files: NewFile[];
}

type Place = ConvertedPage['places'][number];

const isShownPlace = ({ kind }: Place): boolean => kind === 'image' || kind === 'file';

/** Gives the pages of a source their ids, gets the files that they show, and writes their links by these ids. */
export async function linkPages(gathered: Gathered, progress: Progress): Promise<Linked> {
  const pages = [...eachGathered(gathered.pages)];
  const ids = new Map(pages.map((page) => [page, newPageId()]));
  const byKey = new Map(
    pages.flatMap((page) => (page.content ? [[page.key, { page, id: ids.get(page) as string }] as const] : [])),
  );
  const meanings = new Map<GatheredPage, Map<Place, SourceTarget>>();
  for (const page of pages) meanings.set(page, await resolvePlaces(page, gathered));
  const files = await getFiles(meanings, gathered, progress);
  const sources = new Map<GatheredPage, string>();
  const newAddress = (target: SourceTarget) => addressOfTarget(target, { byKey, files });
  await eachInSlices(pages, (page) => {
    const meant = meanings.get(page);
    if (page.content && meant) sources.set(page, addHeading(page, rewriteLinks(page.content, meant, newAddress)));
  });
  const newPage = (page: GatheredPage): NewPage => ({
    id: ids.get(page) as string,
    title: page.title,
    ...(page.content ? { source: sources.get(page) as string } : {}),
    ...(page.isGroup ? { isGroup: true } : {}),
    children: page.children.map(newPage),
  });
  return { pages: gathered.pages.map(newPage), files: [...new Set(files.values())] };
}

async function resolvePlaces(page: GatheredPage, gathered: Gathered): Promise<Map<Place, SourceTarget>> {
  const meanings = new Map<Place, SourceTarget>();
  await eachInSlices(page.content?.places ?? [], (place) => {
    if (place.url === '') return;
    if (place.url.startsWith('#')) {
      const anchor = page.content?.ids?.get(percentDecode(place.url.slice(1)));
      if (anchor !== undefined) meanings.set(place, anchor === '' ? { page: page.key } : { url: `#${anchor}` });
      return;
    }
    if (place.url.startsWith(inlineScheme)) return void meanings.set(place, { file: inlineImageName(page, place.url) });
    const target = gathered.targetOf(page, place.url, isShownPlace(place));
    const isAsWritten = target && 'url' in target && /^https?:/i.test(place.url);
    if (!isAsWritten) meanings.set(place, target);
  });
  return meanings;
}

/** The name of an image that a page itself holds: the key of the page distinguishes it from images of other pages. */
const inlineImageName = ({ key }: GatheredPage, url: string) => `${url} ${key}`;

type Files = ReadonlyMap<string, NewFile>;

/** Gets the files that pages name, each once. One that cannot be had stays away, and so do those that are too many. */
async function getFiles(
  meanings: ReadonlyMap<GatheredPage, ReadonlyMap<Place, SourceTarget>>,
  gathered: Gathered,
  progress: Progress,
): Promise<Files> {
  const files = new Map<string, NewFile>();
  const asked = new Set<string>();
  let room: number = bounds.fetchedFiles;
  for (const [page, targets] of meanings)
    for (const target of targets.values()) {
      if (!target || !('file' in target) || asked.has(target.file)) continue;
      asked.add(target.file);
      progress.addToTotal(1);
      const inline = page.content?.inline.find(({ path }) => inlineImageName(page, path) === target.file);
      const isWanted = files.size < bounds.files && room > 0;
      const given = isWanted ? (inline ?? (await getFile(gathered, target.file))) : undefined;
      if (given) files.set(target.file, { id: newId(), given });
      if (given && !inline) room -= given.size;
      await progress.saveCounts();
    }
  return files;
}

/** A file that cannot be had is one that pages show from where it is. */
async function getFile(gathered: Gathered, file: string): Promise<GivenFile | undefined> {
  try {
    const given = await gathered.fileAt(file);
    return given && given.size > 0 && given.size <= bounds.file ? given : undefined;
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === 'UNPROCESSABLE' || type === 'INVALID') return undefined;
    throw error;
  }
}

interface Known {
  byKey: ReadonlyMap<string, { page: GatheredPage; id: string }>;
  files: Files;
}

/** The new address by which a link names its target; undefined for a target that does not exist. */
function addressOfTarget(target: SourceTarget, { byKey, files }: Known): string | undefined {
  if (target === undefined) return undefined;
  if ('url' in target) return escapeAddress(target.url);
  if ('page' in target) {
    const found = byKey.get(target.page);
    const anchor = target.anchor && anchorInPage(found?.page, target.anchor);
    return found && `/pages/${found.id}${anchor ? `#${escapeAddress(anchor)}` : ''}`;
  }
  const file = files.get(target.file);
  if (file) return `/files/${file.id}`;
  return /^https?:/.test(target.file) ? escapeAddress(target.file) : undefined;
}

const anchorInPage = (page: GatheredPage | undefined, id: string): string =>
  page?.content?.ids?.get(percentDecode(id)) ?? id;

/** The page with its links as they are from now on; a link to nothing becomes plain text. */
function rewriteLinks(
  { markdown, places }: ConvertedPage,
  meanings: ReadonlyMap<Place, SourceTarget>,
  address: (target: SourceTarget) => string | undefined,
): string {
  const replacements = places.flatMap((place): Replacement[] => {
    if (!meanings.has(place)) return [];
    const text = address(meanings.get(place));
    return [text === undefined ? place.without : { from: place.from, to: place.to, text }];
  });
  return withReplacements(markdown, replacements);
}

/** A page that names no title in its text gets it as its heading. */
function addHeading({ title, content }: GatheredPage, markdown: string): string {
  if (content?.titled) return markdown;
  const { body } = locateParts(markdown);
  return `${markdown.slice(0, body)}# ${escapeHeading(title)}\n\n${markdown.slice(body)}`;
}

const escapeHeading = (text: string): string => text.replace(/[\\`*_[\]<>{}$~|#&!]/g, (sign) => `\\${sign}`);
