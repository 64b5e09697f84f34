import { scaleMs } from '../../../../shared/settings/time-scale.js';

/** Bounds of what an import converts; docs/operations/limits.md lists them. Sizes are bytes. */
export const bounds = {
  /** Pages of one import. */
  pages: 1000,
  /** Pages of a website. */
  websitePages: 200,
  /** Milliseconds that a website is read for. */
  websiteMs: scaleMs(120_000),
  /** Images and attachments of one import; those after them are left out. */
  files: 1000,
  /** Maximum of one file; larger ones are left out. */
  file: 25_000_000,
  /** Maximum of all files together that are fetched one by one. */
  fetchedFiles: 200_000_000,
  /** Maximum of one HTML page, as it is sent. */
  html: 10_000_000,
  /** Maximum of one page before it is converted, in an archive or as it is sent. */
  source: 10_000_000,
  /** Maximum of one page in Markdown, and of its includes. */
  page: 2_000_000,
  /** Maximum of all pages of an import in Markdown. */
  allPages: 50_000_000,
  /** Links and images of one page, and of all pages of an import. */
  links: 20_000,
  allLinks: 200_000,
  /** Maximum of a document in Word's format. */
  docx: 25_000_000,
  /** Maximum of the XML in such a document, unpacked. */
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

export const megabytesText = (bytes: number): string => `${bytes / 1_000_000} MB`;
