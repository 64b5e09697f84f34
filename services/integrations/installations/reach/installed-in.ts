import { eachDocument } from '../../../../shared/store/port.js';
import type { InstalledIn } from '../../catalogue/access.js';
import type { IntegrationsDependencies } from '../../dependencies.js';
import { installations } from '../model.js';

/** Finds the publications that are installed in one of the organizations, whatever the status. */
export const installedIn =
  ({ store }: Pick<IntegrationsDependencies, 'store'>): InstalledIn =>
  async ({ publications, organizations }) => {
    const found = new Set<string>();
    const filter = { publication: { $in: publications }, organization: { $in: organizations } };
    for await (const { publication } of eachDocument(store, installations, filter, ['publication']))
      found.add(publication);
    return found;
  };
