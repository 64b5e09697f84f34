import { Encoded } from '../../../../../shared/contract/encoded.js';
import type { ReadText } from '../../resources.js';
import type { PageWork } from '../page-work.js';
import {
  blockKeys,
  blockPreview,
  encodedDocument,
  exportedPages,
  exportedSettings,
  idsIn,
  imageDimensions,
  markdown,
  mergeSources,
  oEmbed,
  outline,
  readPages,
  readTexts,
  searchEntries,
  sections,
  spaceConfig,
  webPage,
  writtenPage,
} from '../page-worker.js';

/** Does in this process what otherwise runs in others. */
export const workHere: PageWork = {
  dimensions: async (image) => imageDimensions(image),
  read: async (pages) => readPages(pages.map(({ source }) => source)),
  written: async (source) => writtenPage(source),
  parsed: async (sources) => readPages(sources),
  merged: async (sources) => mergeSources(sources),
  reverted: async ({ base }) => ({ source: base }),
  outline: async (tree) => outline(tree),
  spaceConfig: async (text) => spaceConfig(text),
  exported: async (pages) => exportedPages(pages),
  exportedSettings: async (settings) => exportedSettings(settings),
  entries: async (pages) => searchEntries(pages),
  document: async (body) => new Encoded(encodedDocument({ ...body, refs: body.refs as Map<string, never> })),
  blockKeys: async (body) => new Set(blockKeys({ ...body, refs: body.refs as Map<string, never> })),
  blockPreview: async (block) => blockPreview({ ...block, refs: block.refs as Map<string, never> }),
  markdown: async (page) => markdown(page),
  sections: async (page) => sections(page),
  idsIn: async (body) => idsIn({ ...body, refs: body.refs as Map<string, never> }),
  texts: async (texts) => readTexts(texts) as (ReadText | { refused: string })[],
  webPage: async (page) => webPage(page),
  oEmbed: async (answer) => oEmbed(answer),
  close: async () => {},
};
