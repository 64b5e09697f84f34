import type { ContentCaller } from '../../../shared/contract/caller.js';
import type { Encoded } from '../../../shared/contract/encoded.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { listPage } from '../../../shared/paging.js';
import type { specVersionOperations } from '../contract/organization/openapi.js';
import type { contentContract } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';
import { findSpec, findVersion, type SpecPath, specNotFound } from './find.js';
import { type SpecDocument, specVersions } from './model.js';
import { presentVersion } from './present.js';
import type { OpenAPISpecContent } from './resources.js';

type Dependencies = Pick<ContentDependencies, 'store' | 'baseUrl' | 'links' | 'specContents' | 'visitorSpecs'>;

export function versionHandlers(deps: Dependencies): HandlersOf<typeof contentContract, typeof specVersionOperations> {
  const { store, specContents } = deps;

  async function content(
    path: SpecPath,
    id: string | undefined,
    context: Context,
  ): Promise<Encoded<OpenAPISpecContent>> {
    const { caller, version } = context;
    const spec = await findSpec(store, path);
    if (caller.kind === 'content') await checkVisitor(deps, { caller, spec }, context);
    const found = await findVersion(store, spec, id);
    const form = caller.kind === 'content' ? 'list' : 'byName';
    version(`${found._id}-${form}`);
    return specContents.content({ spec, version: found, form });
  }

  return {
    async getPublishedOpenAPISpec({ path }, { version }) {
      const spec = await findSpec(store, path);
      if (spec.visibility !== 'public') throw specNotFound();
      const found = await findVersion(store, spec);
      version(found._id);
      return specContents.file(found);
    },

    async listOpenAPISpecVersions({ path, query }) {
      const spec = await findSpec(store, path);
      const list = { filter: { spec: spec._id }, sort: { createdAt: -1 }, request: query } as const;
      return listPage(store, specVersions, list, (found) => found.map((each) => presentVersion(deps, spec, each)));
    },

    async getLatestOpenAPISpecVersion({ path }) {
      const spec = await findSpec(store, path);
      return presentVersion(deps, spec, await findVersion(store, spec));
    },

    async getOpenAPISpecVersionById({ path }) {
      const spec = await findSpec(store, path);
      return presentVersion(deps, spec, await findVersion(store, spec, path.versionId));
    },

    getLatestOpenAPISpecVersionContent: ({ path }, context) => content(path, undefined, context),
    getOpenAPISpecVersionContentById: ({ path }, context) => content(path, path.versionId, context),
  };
}

/** Throws 404 for a visitor who sees no page that refers to the specification, unless it is public. */
async function checkVisitor(
  { visitorSpecs }: Pick<Dependencies, 'visitorSpecs'>,
  { caller, spec }: { caller: ContentCaller; spec: SpecDocument },
  context: Context,
): Promise<void> {
  if (spec.visibility === 'public') return;
  if (!(await visitorSpecs.areShown(caller, spec.slug, context))) throw specNotFound();
}
