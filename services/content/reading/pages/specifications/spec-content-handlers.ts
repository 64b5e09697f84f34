import type { Encoded } from '../../../../../shared/contract/encoded.js';
import type { Context, HandlersOf } from '../../../../../shared/contract/service.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import type { specContentOperations } from '../../../openapi/contract/specs.js';
import type { OpenAPISpecContent } from '../../../openapi/resources.js';
import { findSpec, findVersion, type SpecPath, specNotFound } from '../../../openapi/specs/find.js';
import type { SpecContents } from '../../../openapi/specs/spec-contents.js';
import type { HasReferences } from '../visitors/visitor-references.js';
import type { HasViews } from '../visitors/visitor-view-cache.js';
import type { SpecReferences } from './spec-references.js';
import { isSpecShown } from './visitor-specs.js';

type Dependencies = HasStore &
  HasRevisions &
  HasViews &
  HasReferences & { baseUrl: string; specContents: SpecContents; specReferences: SpecReferences };

export function specContentHandlers(deps: Dependencies): HandlersOf<typeof specContentOperations> {
  const { store, specContents } = deps;

  async function content(
    path: SpecPath,
    id: string | undefined,
    context: Context,
  ): Promise<Encoded<OpenAPISpecContent>> {
    const { caller, declareVersion } = context;
    const spec = await findSpec(store, path);
    const isVisitor = caller.kind === 'content';
    if (isVisitor && !(await isSpecShown(deps, { spec, visitor: caller }, context))) throw specNotFound();
    const found = await findVersion(store, spec, id);
    const form = isVisitor ? 'list' : 'byName';
    declareVersion(`${found._id}-${form}-${spec.visibility}`);
    return specContents.content({ spec, version: found, form });
  }

  return {
    async getPublishedOpenAPISpec({ path }, { declareVersion }) {
      const spec = await findSpec(store, path);
      if (spec.visibility !== 'public') throw specNotFound();
      const found = await findVersion(store, spec);
      declareVersion(found._id);
      return specContents.file(found);
    },

    getLatestOpenAPISpecVersionContent: ({ path }, context) => content(path, undefined, context),
    async getLatestOpenAPISpecVersionContentRaw({ path }, { declareVersion }) {
      const found = await findVersion(store, await findSpec(store, path));
      declareVersion(`${found._id}-${found.raw?.slice(0, 16)}`);
      return specContents.raw(found);
    },
    getOpenAPISpecVersionContentById: ({ path }, context) => content(path, path.versionId, context),
  };
}
