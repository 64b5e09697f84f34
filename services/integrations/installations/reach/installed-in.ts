import { eachDocument, type Store } from '../../../../shared/store/port.js';
import type { InstalledIn } from '../../catalogue/access.js';
import { installations } from '../model.js';

/** Finds the publications that are installed in one of the organizations, whatever the status. */
export const findInstalled =
  ({ store }: { store: Store }): InstalledIn =>
  async ({ publications, organizations }) => {
    const found = new Set<string>();
    const filter = { publication: { $in: publications }, organization: { $in: organizations } };
    for await (const { publication } of eachDocument(store, installations, filter, ['publication']))
      found.add(publication);
    return found;
  };
