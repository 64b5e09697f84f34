import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import { isFields, readYaml } from '../yaml.js';

/** The front matter of a page. */
export interface PageMetadata {
  title?: string;
  description?: string;
  icon?: string;
  emoji?: string;
  hidden: boolean;
  noIndex: boolean;
  noRobotsIndex: boolean;
  /** Asset paths relative to the page, or URLs. `yPos` is 0 by default. */
  cover?: { url: string; urlDark?: string; yPos: number };
  /** Images that other keys name, as `cover` does. */
  images?: string[];
  metaLinks?: MetaLinks;
  layout: PageLayout;
  /** Visitor condition: a JavaScript expression. */
  condition?: string;
  variables?: Record<string, string | number | boolean>;
  tags?: { tag: string; primary: boolean }[];
  /** Why the front matter could not be read, for its author. */
  problem?: string;
}

/** Links for search engines: URLs, or paths relative to the page. */
export interface MetaLinks {
  /** The address of the original, where the page is a copy. */
  canonical?: string;
  /** Pages that say the same, mostly in other languages. */
  alternates?: string[];
}

/** As pages store it. What earlier versions did not know is there only where it is not the default, so that their pages stay equal. */
export interface PageLayout {
  width: 'default' | 'wide';
  cover: boolean;
  coverSize: 'hero' | 'full';
  title: boolean;
  description: boolean;
  tableOfContents: boolean;
  outline: boolean;
  pagination: boolean;
  metadata: boolean;
  coverMask?: 'radial';
  tags?: false;
  actions?: false;
  anchors?: false;
}

const DEFAULT_LAYOUT: PageLayout = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};

/** A layout with all that it leaves out. */
export const completeLayout = (layout: PageLayout = DEFAULT_LAYOUT) => ({
  coverMask: 'none' as const,
  tags: true,
  actions: true,
  anchors: true,
  ...layout,
});

const PRESETS: Record<string, Partial<PageLayout>> = {
  docs: {},
  editorial: { tableOfContents: false },
  landing: {
    width: 'wide',
    title: false,
    description: false,
    tableOfContents: false,
    outline: false,
    pagination: false,
    metadata: false,
  },
};

const VISIBLE = ['cover', 'title', 'description', 'tableOfContents', 'outline', 'pagination', 'metadata'] as const;
const HIDEABLE = ['tags', 'actions', 'anchors'] as const;

const MAX_TAGS = 100;
const maxAlternates = 100;

/** Characters; YAML needs more than linear time for malformed input. */
export const MAX_FRONT_MATTER = 64_000;

type Yaml = Record<string, unknown>;

/** Reads the YAML of a page. Invalid YAML gives the defaults and a `problem`. */
export function readFrontMatter(source: string | undefined): PageMetadata {
  const { values, problem } = parseFrontMatterYaml(source ?? '');
  const metadata: PageMetadata = {
    hidden: values.hidden === true,
    noIndex: values.noIndex === true,
    noRobotsIndex: values.noRobotsIndex === true,
    layout: readLayout(values.layout),
  };
  const setIfGiven = <K extends keyof PageMetadata>(key: K, value: PageMetadata[K] | undefined) => {
    if (value !== undefined) metadata[key] = value;
  };
  setIfGiven('title', readScalarText(values.title));
  setIfGiven('description', readScalarText(values.description));
  setIfGiven('icon', readScalarText(values.icon));
  setIfGiven('emoji', readScalarText(values.emoji));
  setIfGiven('cover', readCover(values));
  const images = imagesInValue({ ...values, cover: undefined, coverDark: undefined });
  setIfGiven('images', images.length > 0 ? images : undefined);
  setIfGiven('metaLinks', readMetaLinks(values.metaLinks));
  setIfGiven('condition', readScalarText(values.if));
  setIfGiven('variables', readVariables(values.vars));
  setIfGiven('tags', readTags(values.tags));
  setIfGiven('problem', problem);
  return metadata;
}

function parseFrontMatterYaml(source: string): { values: Yaml; problem?: string } {
  if (source.trim() === '') return { values: {} };
  if (source.length > MAX_FRONT_MATTER)
    return { values: {}, problem: `The front matter is longer than ${MAX_FRONT_MATTER} characters` };
  const plain = readPlainLines(source);
  if (plain) return { values: plain };
  const { value, problem } = readYaml(source);
  if (problem) return { values: {}, problem: `The front matter is not valid YAML: ${problem}` };
  if (value === null || value === undefined) return { values: {} };
  if (isFields(value)) return { values: value };
  return { values: {}, problem: 'The front matter is not a list of keys and values' };
}

const PLAIN_LINE = /^([A-Za-z]\w*):[ \t]+([A-Za-z][A-Za-z0-9 ,.()/'_-]*)$/;
const SPECIAL_WORD = /^(?:true|false|null|yes|no|on|off|nan|inf)$/i;

/** Reads front matter of a few lines of plain words, the most common kind, without a YAML parser; undefined for anything else. */
function readPlainLines(source: string): Yaml | undefined {
  const values: Yaml = {};
  for (const line of source.split('\n')) {
    if (line.trim() === '') continue;
    const [, key, value = ''] = PLAIN_LINE.exec(line) ?? [];
    if (key === undefined || key in values || SPECIAL_WORD.test(value.trim())) return undefined;
    values[key] = value.trim();
  }
  return values;
}

function readScalarText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

function readCover(values: Yaml): PageMetadata['cover'] {
  const both = isFields(values.cover) ? values.cover : { light: values.cover, dark: values.coverDark };
  const [url, urlDark] = [readScalarText(both.light), readScalarText(both.dark)];
  if (url === undefined) return undefined;
  const yPos = Number(values.coverY ?? 0);
  return { url, ...(urlDark === undefined ? {} : { urlDark }), yPos: Number.isFinite(yPos) ? yPos : 0 };
}

const imageFile = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|tiff?)(?:[?#].*)?$/i;
/** Maximum of one page; further ones are left out. */
export const maxImages = 100;
const maxAddress = 2000;

/** The images that a value of front matter names, also inside of it. */
export function imagesInValue(value: unknown, isImage = (text: string) => imageFile.test(text)): string[] {
  if (typeof value === 'string') {
    const text = value.trim();
    return text !== '' && text.length <= maxAddress && !/^(?:data:|#)/i.test(text) && isImage(text) ? [text] : [];
  }
  const inside = Array.isArray(value) ? value : isFields(value) ? Object.values(value) : [];
  const images: string[] = [];
  for (const each of inside) if (images.length < maxImages) images.push(...imagesInValue(each, isImage));
  return images.slice(0, maxImages);
}

function readMetaLinks(value: unknown): MetaLinks | undefined {
  if (!isFields(value)) return undefined;
  const urlOf = (written: unknown) => {
    const url = readScalarText(written);
    return url !== undefined && url.length <= maxAddress ? [url] : [];
  };
  const [canonical] = urlOf(value.canonical);
  const alternates = Array.isArray(value.alternates) ? value.alternates.slice(0, maxAlternates).flatMap(urlOf) : [];
  if (canonical === undefined && alternates.length === 0) return undefined;
  return omitUndefined({ canonical, alternates: alternates.length > 0 ? alternates : undefined });
}

function readLayout(value: unknown): PageLayout {
  if (typeof value === 'string') return { ...DEFAULT_LAYOUT, ...(Object.hasOwn(PRESETS, value) ? PRESETS[value] : {}) };
  const layout = { ...DEFAULT_LAYOUT };
  if (!isFields(value)) return layout;
  if (value.width === 'wide') layout.width = 'wide';
  const visibilityOf = (key: string) => {
    const entry = value[key];
    return isFields(entry) ? entry.visible : entry;
  };
  for (const key of VISIBLE) {
    const visible = visibilityOf(key);
    if (typeof visible === 'boolean') layout[key] = visible;
  }
  for (const key of HIDEABLE) if (visibilityOf(key) === false) layout[key] = false;
  if (isFields(value.cover) && value.cover.size === 'full') layout.coverSize = 'full';
  if (isFields(value.cover) && value.cover.mask === 'radial') layout.coverMask = 'radial';
  return layout;
}

function readVariables(value: unknown): PageMetadata['variables'] {
  if (!isFields(value)) return undefined;
  const variables: Record<string, string | number | boolean> = {};
  for (const [name, entry] of Object.entries(value)) {
    if (typeof entry === 'string' || typeof entry === 'number' || typeof entry === 'boolean') variables[name] = entry;
  }
  return variables;
}

function readTags(value: unknown): PageMetadata['tags'] {
  if (!Array.isArray(value)) return undefined;
  const tags: { tag: string; primary: boolean }[] = [];
  for (const entry of value.slice(0, MAX_TAGS)) {
    const tag = readScalarText(isFields(entry) ? entry.tag : entry);
    if (tag !== undefined) tags.push({ tag, primary: isFields(entry) && entry.primary === true });
  }
  return tags;
}
