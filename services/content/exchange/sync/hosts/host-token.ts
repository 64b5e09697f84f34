import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { readCredentials } from '../installations/installation-setup.js';
import type { GitInstallationDocument } from '../model.js';
import type { HasGitHubApp } from './github-app.js';

type Dependencies = HasSecrets & HasGitHubApp;

/** The token that a host's API takes for a connection. Throws GitFailure. */
export async function hostTokenOf(deps: Dependencies, item: GitInstallationDocument): Promise<string | undefined> {
  const { accessToken } = readCredentials(deps, item);
  if (accessToken !== undefined) return accessToken;
  const use = appUseOf(deps, item);
  return use && deps.githubApp?.tokenFor(use);
}

/** The connection with the token of the App for its credentials, where it has none of its own; not to be stored. Throws GitFailure. */
export async function withHostToken(
  deps: Dependencies,
  item: GitInstallationDocument,
): Promise<GitInstallationDocument> {
  if (!appUseOf(deps, item)) return item;
  const accessToken = await hostTokenOf(deps, item);
  return { ...item, credentials: deps.secrets.encrypt(JSON.stringify({ accessToken })) };
}

/** Has the next token of the App made anew: the host did not accept this one. */
export function forgetHostToken(deps: Dependencies, item: GitInstallationDocument): void {
  const use = appUseOf(deps, item);
  if (use) deps.githubApp?.forgetToken(use);
}

/** The repository for which the App signs in; undefined where the connection does so by itself. */
function appUseOf(deps: Dependencies, item: GitInstallationDocument) {
  const { organization, provider, url = '' } = item;
  const use = { organization, url };
  const isOfApp = provider === 'github' && deps.githubApp?.serves(use) === true;
  return isOfApp && readCredentials(deps, item).accessToken === undefined ? use : undefined;
}
