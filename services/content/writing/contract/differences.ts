import { Encoded } from '../../../../shared/contract/encoded.js';
import { question } from '../../../../shared/contract/verb.js';
import type { BodyDifference, DifferencePart } from '../../format/differences/difference.js';
import type { OutsideTarget, PageDetails } from '../../reading/contract/shown-pages.js';

/** Content of a space that is compared with other content of it. A change request is named by its id or its number. */
export type ComparedContent =
  | { current: true }
  | { revision: string }
  /** The revision that another was made from; without pages before the first one. */
  | { parentOf: string }
  | { changeRequest: string }
  /** The primary content that a change request includes. */
  | { baseOf: string };

export interface CompareContents {
  organization: string;
  space: string;
  before: ComparedContent;
  after: ComparedContent;
}

/** A value of both sides; absent where a side has none. */
export interface BothSides<T> {
  before?: T;
  after?: T;
}

/** Says what became of a thing. One that is on both sides may be several of the last three. */
export type ChangeKind = 'added' | 'removed' | 'edited' | 'moved' | 'renamed';

/** A page on one side. */
export interface ComparedPage {
  title: string;
  /** Within the space; empty for a page without one, such as a link. */
  path: string;
  /** A character. */
  emoji?: string;
  /** The name of an icon. */
  icon?: string;
}

/** `edited`: in more than its title, its slug and its place. `renamed`: in its title or its slug. */
export interface PageDifference extends BothSides<ComparedPage> {
  id: string;
  type: 'document' | 'group' | 'link' | 'computed';
  changes: ChangeKind[];
  /** Whether its body differs. */
  hasOtherBody: boolean;
}

export interface ComparedFile {
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Its signed path, with a leading slash. */
  path: string;
  isImage: boolean;
  /** Pixels. */
  dimensions?: { width: number; height: number };
}

/** `edited`: its content is another one. */
export interface FileDifference extends BothSides<ComparedFile> {
  id: string;
  changes: ChangeKind[];
}

/** `edited`: its body differs. */
export interface ReusableDifference extends BothSides<{ title: string }> {
  id: string;
  changes: ChangeKind[];
}

/** A variable with its values as JSON, cut where they are long. */
export interface VariableDifference extends BothSides<string> {
  name: string;
}

/** Things that differ: the first 500, and how many there are. */
export interface Differing<T> {
  total: number;
  items: T[];
}

/** The revisions that were compared; without `before`, the later one is the first of its space. */
export interface ComparedRevisions {
  before?: string;
  after: string;
}

export interface ListedDifferences {
  revisions: ComparedRevisions;
  /** In the order of the tree of the later side; removed ones stand where they stood. */
  pages: Differing<PageDifference>;
  files: Differing<FileDifference>;
  reusableContents: Differing<ReusableDifference>;
  variables: Differing<VariableDifference>;
}

/**
 * For the app: everything that differs between two contents of a space. The caller vouches that whoever asks may view the space. Throws 404 for a
 * revision or a change request that the space does not have, and for content that is no longer kept.
 */
export const listDifferences = question<CompareContents, Encoded<ListedDifferences>>('content', 'listDifferences');

/** A field of a page in which two sides differ. */
export type FieldDifference =
  | ({
      field: 'title' | 'linkTitle' | 'description' | 'slug' | 'path' | 'emoji' | 'icon' | 'condition' | 'target';
    } & BothSides<string>)
  | ({ field: 'hidden' | 'noIndex' | 'noRobotsIndex' } & Required<BothSides<boolean>>)
  | ({ field: 'cover' } & BothSides<NonNullable<PageDetails['cover']>>)
  /** Labels of tags, and addresses for search engines. */
  | ({ field: 'tags' | 'metaLinks' } & Required<BothSides<string[]>>)
  /** An option of the layout, or a variable, as JSON, cut where it is long. */
  | ({ field: 'layout' | 'variables'; name: string } & BothSides<string>);

export type ShowDifference = CompareContents &
  ({ page: string } | { reusableContent: string }) & {
    /** Spaces besides this one that links may lead to and take titles from: those that whoever asks may view. */
    spaces?: string[];
  };

export interface ShownDifference extends BothSides<ComparedPage> {
  revisions: ComparedRevisions;
  changes: ChangeKind[];
  /** The page of the later side; of the earlier one where it was removed. Absent for reusable content. */
  page?: PageDetails;
  fields: FieldDifference[];
  /** `tooLarge` has no parts. */
  form: BodyDifference['form'];
  parts: DifferencePart[];
  /** By the position that marks name; null for what leads nowhere. */
  outside: (OutsideTarget | null)[];
}

const lineEnd = Buffer.from('\n');
const sides = ['html', 'before', 'after'] as const;

type Sides = Partial<Record<(typeof sides)[number], string | number>>;

/** A difference to be sent: the HTML of its parts follows the rest as it is, since a long one takes a while to be written as JSON, and to be read. */
export function encodeShownDifference(shown: ShownDifference | null): Encoded<ShownDifference | null> {
  if (!shown) return Encoded.of(shown);
  const html: Buffer[] = [];
  const parts = shown.parts.map((part) => {
    const lengths: Sides = {};
    for (const side of sides) {
      const text = (part as Sides)[side];
      if (typeof text !== 'string') continue;
      const bytes = Buffer.from(text);
      lengths[side] = bytes.length;
      html.push(bytes);
    }
    return { ...part, ...lengths };
  });
  return new Encoded(Buffer.concat([Buffer.from(JSON.stringify({ ...shown, parts })), lineEnd, ...html]));
}

export function decodeShownDifference({ bytes }: Encoded<ShownDifference | null>): ShownDifference | null {
  const end = bytes.indexOf(lineEnd);
  if (end < 0) return JSON.parse(bytes.toString());
  const shown = JSON.parse(bytes.subarray(0, end).toString());
  let at = end + 1;
  for (const part of shown.parts)
    for (const side of sides) {
      const length = part[side];
      if (typeof length !== 'number') continue;
      part[side] = bytes.subarray(at, at + length).toString();
      at += length;
    }
  return shown;
}

/**
 * For the app: how a page, or a reusable content, differs between two contents of a space (`decodeShownDifference`). Its body is shown as its
 * writers see it, with conditions. Null where neither side has it; the caller vouches as for `listDifferences`.
 */
export const showDifference = question<ShowDifference, Encoded<ShownDifference | null>>('content', 'showDifference');
