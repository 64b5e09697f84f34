import type { ConvertedPage, GivenFile } from '../../../conversion/model.js';

/** The target of a link of a page, in the source that the page comes from. */
export type SourceTarget =
  | { page: string; anchor?: string | undefined }
  | { file: string }
  /** Something outside of what is imported. */
  | { url: string }
  /** Nothing that can be reached from elsewhere. */
  | undefined;

export interface GatheredPage {
  /** The name that links have for it. */
  key: string;
  title: string;
  /** Absent for a page that only holds others. */
  content?: ConvertedPage;
  /** At the top level, a group. */
  isGroup?: true;
  /** Where it was found, which its links are relative to. */
  base: string;
  children: GatheredPage[];
}

/** The content of a source, with its pages converted. */
export interface Gathered {
  pages: GatheredPage[];
  targetOf(page: GatheredPage, url: string, isShown: boolean): SourceTarget;
  /** A file that pages show or link to, by its name in `targetOf`; undefined where it cannot be had. */
  fileAt(file: string): Promise<GivenFile | undefined>;
}

export function* eachGathered(pages: readonly GatheredPage[]): Generator<GatheredPage> {
  for (const page of pages) {
    yield page;
    yield* eachGathered(page.children);
  }
}
