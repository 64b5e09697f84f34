import type { HasRoom } from '../../../../../../shared/disk/room.js';
import { bounds } from '../../../conversion/bounds.js';
import type { HasConversion } from '../../../conversion/conversion-work.js';
import type { Planning } from '../../../conversion/layouts/planned-tree.js';
import { refusal } from '../../../conversion/refused.js';
import type { HasProxy } from '../../../git/address/proxy.js';
import type { ImportSource } from '../resources.js';
import { archiveMs, checkArchive, fetchArchive, fetchWiki } from './archive.js';
import type { PageConverter } from './converting.js';
import { type FetchedFiles, isArchive } from './fetched-files.js';
import type { Gathered } from './gathered.js';
import { gatherPlanned } from './planned-source.js';
import { gatherFetchedPage, gatherPage } from './single-page.js';
import { googleExportUrl, wikiRepositoryUrl } from './source-address.js';
import { gatherWebsite } from './website.js';

type Dependencies = HasConversion & HasProxy & HasRoom & { cacheDir: string };

export interface Gathering {
  url: string;
  source: ImportSource;
  organization: string;
  files: FetchedFiles;
  converting: PageConverter;
  signal: AbortSignal;
}

/** Fetches what an address of a source names, and converts its pages. Throws 400 or 422 for what cannot be imported. */
export async function gatherSource(deps: Dependencies, gathering: Gathering): Promise<Gathered> {
  const { url, source } = gathering;
  switch (source) {
    case 'markdown':
    case 'html':
    case 'docx':
      return gatherPage(gathering, { url, format: source });
    case 'website':
      return gatherWebsite(gathering, url);
    case 'google-docs':
      return gatherGoogle(deps, gathering);
    case 'github-wiki': {
      const { files, organization: owner, signal } = gathering;
      const wiki = await fetchWiki(deps, { owner, url: wikiRepositoryUrl(url), folder: files.folder, signal });
      return planAndGather(deps, gathering, { source, files: wiki });
    }
    default:
      return planAndGather(deps, gathering, {
        source,
        files: await fetchArchive({ ...deps, ...gathering }, { url, source }),
      });
  }
}

async function planAndGather(
  { conversion }: Dependencies,
  { organization, converting }: Pick<Gathering, 'organization' | 'converting'>,
  planning: Planning,
): Promise<Gathered> {
  const tree = await conversion.planned(planning, organization);
  return gatherPlanned({ converting }, { tree, files: planning.files });
}

/** A document of Google: fetched as it is exported, or a file that was exported from it. */
async function gatherGoogle(deps: Dependencies, gathering: Gathering): Promise<Gathered> {
  const { files, conversion, organization } = { ...deps, ...gathering };
  const file = await files.fetchFile(googleExportUrl(gathering.url), {
    maxBytes: bounds.archive,
    timeoutMs: archiveMs,
  });
  if (!(await isArchive(file.file))) return gatherFetchedPage(gathering, { file, format: 'html' });
  await checkArchive(file);
  const unpacked = await conversion.unpacked({ archive: file.file, folder: `${files.folder}/unpacked` }, organization);
  if (!unpacked.some(({ path }) => path === 'word/document.xml'))
    return planAndGather(deps, gathering, { source: 'google-docs', files: unpacked });
  if (file.size > bounds.docx) throw refusal('url: the document is too large');
  return gatherFetchedPage(gathering, { file, format: 'docx' });
}
