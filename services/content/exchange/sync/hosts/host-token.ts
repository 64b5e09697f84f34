import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { readCredentials } from '../installations/installation-setup.js';
import type { GitInstallationDocument } from '../model.js';

/** The token that a host's API takes for a connection. */
export const hostTokenOf = async (deps: HasSecrets, item: GitInstallationDocument): Promise<string | undefined> =>
  readCredentials(deps, item).accessToken;
