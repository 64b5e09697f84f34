import { scaled } from '../../../../shared/settings/time-scale.js';

/** Bounds of what an import converts; docs/operations/limits.md lists them. Sizes are bytes. */
export const bounds = {
  /** Pages of one import. */
  pages: 1000,
  /** Pages of a website. */
  websitePages: 200,
  /** Milliseconds that a website is read for. */
  websiteMs: scaled(120_000),
  /** Images and attachments of one import; those after them are left out. */
  files: 1000,
  /** Of one file; larger ones are left out. */
  file: 25_000_000,
  /** Of all files that are fetched one by one. */
  fetchedFiles: 200_000_000,
  /** Of one HTML page, as it is sent. */
  html: 10_000_000,
  /** Of one page in an archive, before it is converted, as of one that is sent. */
  source: 10_000_000,
  /** Of one page in Markdown, and of what it includes. */
  page: 2_000_000,
  /** Of all pages of an import in Markdown. */
  allPages: 50_000_000,
  /** Links and images of one page, and of all pages of an import. */
  links: 20_000,
  allLinks: 200_000,
  /** Of a document in Word's format. */
  docx: 25_000_000,
  /** Of the XML of one, unpacked. */
  docxText: 30_000_000,
  archive: 100_000_000,
  unpacked: 500_000_000,
  entries: 5000,
  /** Levels of elements in an HTML page. */
  levels: 500,
  elements: 200_000,
  /** Cells of a table, with those that are merged. */
  cells: 20_000,
} as const;

export const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;
