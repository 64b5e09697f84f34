import { extname } from 'node:path';
import { authorize } from '../../../../../shared/contract/access.js';
import type { BodyOf, QueryOf } from '../../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../../shared/contract/service.js';
import { invalid, notFound } from '../../../../../shared/errors/errors.js';
import { listPage } from '../../../../../shared/lists/paging.js';
import type { Filter, HasStore } from '../../../../../shared/store/port.js';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { findChangeRequest } from '../../../core/change-requests/find.js';
import { changingContent } from '../../../core/contract/access-rules.js';
import { findSpacesOfSite } from '../../../core/contract/sites.js';
import { uploadedFile } from '../../../core/storage/uploads/uploads.js';
import type { importRunOperations } from '../../contract/import-runs.js';
import { shownImports } from './import-access.js';
import { type ContentImportDocument, contentImports, unended } from './model.js';
import type { ContentImportRun, ImportSource } from './resources.js';
import { cancelImport, findImport, type ImportTarget, type StartsImports, startImport } from './start-import.js';

type Body = BodyOf<typeof importRunOperations.startImportRun>;
type Query = QueryOf<typeof importRunOperations.listImportRuns>;

/** The same imports as those of `listContentImports`, in the form and with the names of the public API. */
export function importRunHandlers(
  deps: StartsImports & HasTrees & { baseUrl: string },
): HandlersOf<typeof importRunOperations> {
  const { store, baseUrl } = deps;
  return {
    async startImportRun({ path: { organizationId }, body: { source, target, site } }, context) {
      const at = await checkedTarget(deps, { organization: organizationId, target }, context);
      if (site !== undefined) await spacesOf(context, { organization: organizationId, site, field: 'site' });
      const body = await bodyOf(deps, { organization: organizationId, source });
      const item = await startImport(deps, { target: at, body, ...(site === undefined ? {} : { site }) }, context);
      return presentRun(baseUrl, item);
    },

    async listImportRuns({ path: { organizationId: organization }, query }, context) {
      const { caller } = context;
      const { shown } = await shownImports(deps, { caller, organization, space: query.space });
      const filter = await filterOf({ organization, shown, query }, context);
      return listPage(store, contentImports, { filter, sort: { createdAt: -1 }, request: query }, (items) =>
        items.map((item) => presentRun(baseUrl, item)),
      );
    },

    async getImportRun({ path: { importRunId } }) {
      return presentRun(baseUrl, await findImport(deps, importRunId));
    },

    async cancelImportRun({ path: { importRunId } }, context) {
      return presentRun(baseUrl, await cancelImport(deps, importRunId, context));
    },
  };
}

/** The target of a run, by the id of its change request. Throws 403 and 404 as an import into the space does. */
async function checkedTarget(
  { store, trees }: HasStore & HasTrees,
  { organization, target: { space, changeRequest, page } }: { organization: string; target: Body['target'] },
  { caller }: Pick<Context, 'caller'>,
): Promise<ImportTarget> {
  const rule = changingContent('edit');
  const access = await authorize(rule, { spaceId: space }, caller, (_, question) => trees.resolve(question, 'space'));
  if (access.organization !== organization) throw notFound('Space');
  if (changeRequest === undefined) return omitUndefined({ space, page });
  const found = await findChangeRequest(
    store,
    { spaceId: space, changeRequestId: changeRequest },
    { fields: ['number'] },
  );
  return omitUndefined({ space, changeRequest: found._id, page });
}

const sourcesByExtension: Record<string, ImportSource> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.docx': 'docx',
  '.zip': 'zip',
};

/** A source as imports take it. The name of a file tells the form of its content. */
async function bodyOf(
  { store }: HasStore,
  { organization, source }: { organization: string; source: Body['source'] },
): Promise<{ source: ImportSource; url?: string; file?: { key: string } }> {
  if (source.type === 'website') return { source: 'website', url: source.url };
  const [key = ''] = source.files;
  const { name } = await uploadedFile(store, { organization, kind: 'import_file', key, field: 'source.files.0' });
  const found = sourcesByExtension[extname(name).toLowerCase()];
  if (!found)
    throw invalid(
      `source.files.0: must be a file with one of the endings ${Object.keys(sourcesByExtension).join(', ')}`,
    );
  return { source: found, file: { key } };
}

interface Filtered {
  organization: string;
  /** Spaces whose imports the caller may see. */
  shown: string[];
  query: Query;
}

async function filterOf(
  { organization, shown, query }: Filtered,
  context: Pick<Context, 'call'>,
): Promise<Filter<ContentImportDocument>> {
  const { changeRequest, site, status } = query;
  const ofSite = site === undefined ? undefined : await spacesOf(context, { organization, site, field: 'site' });
  return omitUndefined({
    organization,
    space: { $in: shown },
    changeRequest,
    state: status === undefined ? undefined : status === 'active' ? { $in: [...unended] } : status,
    $or: ofSite && [{ site }, { space: { $in: ofSite } }],
  });
}

/** The spaces of a site that the caller may view. Throws 404 that names `field` for any other. */
async function spacesOf(
  { call }: Pick<Context, 'call'>,
  { organization, site, field }: { organization: string; site: string; field: string },
): Promise<string[]> {
  const found = await call(findSpacesOfSite, { organization, site });
  if (!found) throw notFound(`${field}: Site`);
  return found;
}

function presentRun(baseUrl: string, item: ContentImportDocument): ContentImportRun {
  const { _id: id, organization, state, error, space, changeRequest, page, site, upload, key, url } = item;
  return omitUndefined({
    object: 'import-run' as const,
    id,
    status: state,
    reason: error?.message,
    source:
      upload !== undefined || key !== undefined
        ? { type: 'file' as const, files: [key ?? url] }
        : { type: 'website' as const, url },
    target: omitUndefined({ space, changeRequest, page }),
    site,
    createdBy: item.createdBy,
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
    completedAt: item.completedAt || undefined,
    urls: { location: `${baseUrl}/v1/org/${organization}/imports/${id}` },
  });
}
