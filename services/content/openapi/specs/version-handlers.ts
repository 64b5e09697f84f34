import type { HasLinks } from '../../../../shared/blobs/links.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { listPage } from '../../../../shared/lists/paging.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { specVersionOperations } from '../contract/specs.js';
import { findSpec, findVersion } from './find.js';
import { specVersions } from './model.js';
import { presentVersion } from './present.js';

export function versionHandlers(
  deps: HasStore & HasLinks & { baseUrl: string },
): HandlersOf<typeof specVersionOperations> {
  const { store } = deps;
  return {
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
  };
}
