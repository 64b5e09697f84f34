import type { z } from 'zod';
import { apiError, conflict, notFound } from '../../../../../shared/errors/errors.js';
import type { HasOutbound } from '../../../../../shared/outbound/client.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import { GitFailure } from '../../git/command/failure.js';
import type { GitCredentials, GitInstallationDocument } from '../model.js';
import type { GitHost } from '../resources.js';
import type { HasGitHubApp } from './github-app.js';
import { apiAccess } from './host-api.js';

const timeoutMs = scaleMs(6_000);
/** Bytes of an answer: of a hundred repositories, or of a file that is shown with its content. */
const maxBytes = 8_000_000;

/** A connection as far as its host is asked. */
export type AskedConnection = Pick<GitInstallationDocument, 'organization' | 'provider' | 'url' | 'instanceUrl'> & {
  credentials: GitCredentials;
};

export type AsksHosts = HasOutbound & HasSecrets & HasGitHubApp;

/** The host of a connection that names none. */
export function defaultHostOf({ githubApp }: HasGitHubApp, provider: GitHost): string | undefined {
  if (provider === 'gitlab') return 'https://gitlab.com';
  return provider === 'github' ? (githubApp?.webUrl ?? 'https://github.com') : undefined;
}

/** The address of the host of a connection, whose credentials are for that alone. */
export function hostUrlOf(deps: HasGitHubApp, { provider, url, instanceUrl }: AskedConnection): string {
  if (provider !== 'github' && provider !== 'gitlab' && provider !== 'gitea')
    throw conflict('The host of this connection has no API that lists repositories', 'wrong_state');
  if (provider === 'gitlab' && instanceUrl) return instanceUrl;
  if (url !== undefined && /^https?:/.test(url)) return new URL(url).origin;
  const known = defaultHostOf(deps, provider);
  if (known === undefined) throw conflict('Set repositoryUrl first: it says which host it is', 'wrong_state');
  return known;
}

export interface HostAccess {
  owner: string;
  api: string;
  headers: Record<string, string>;
}

/**
 * The means by which a connection asks the API of its host: with its own token or, without one, with those of the GitHub App, each of which reaches other
 * repositories. `repository` (`owner/name`) narrows that. Throws 409 where there are none.
 */
export async function hostAccessesOf(
  deps: AsksHosts,
  item: AskedConnection,
  repository?: string,
): Promise<HostAccess[]> {
  const { organization, provider, credentials } = item;
  const url = hostUrlOf(deps, item);
  const tokens =
    credentials.accessToken === undefined
      ? await appTokens(deps, item, { url, repository })
      : [credentials.accessToken];
  if (tokens.length === 0) throw conflict('This connection has no accessToken for the API of its host', 'wrong_state');
  const named = provider as 'github';
  return tokens.map((token) => ({ owner: organization, ...apiAccess(named, url, token) }));
}

async function appTokens(
  { githubApp }: AsksHosts,
  { organization, provider }: AskedConnection,
  { url, repository }: { url: string; repository: string | undefined },
): Promise<string[]> {
  // The App serves all repositories of its host alike.
  const use = { organization, url: `${url}/${repository ?? 'any/any'}` };
  if (provider !== 'github' || !githubApp?.serves(use)) return [];
  try {
    return repository === undefined ? await githubApp.tokensOf(organization) : [await githubApp.tokenFor(use)];
  } catch (error) {
    if (error instanceof GitFailure) throw apiError('UNPROCESSABLE', error.message);
    throw error;
  }
}

interface Asking {
  path: string;
  /** GET by default. */
  method?: string;
  /** The name of a thing that a 404 of the host says is not there. */
  thing: string;
}

/** Asks a host. Throws 404 and 422, in words for the people of the connection. */
export async function askHost({ outbound }: HasOutbound, access: HostAccess, { path, method = 'GET', thing }: Asking) {
  const { owner, api, headers } = access;
  const { hostname } = new URL(api);
  const answer = await outbound
    .fetch(`${api}${path}`, { owner, method, headers, maxRedirects: 0, timeoutMs, maxBytes })
    .catch((error: Error) => {
      throw apiError('UNPROCESSABLE', `${hostname} could not be asked: ${error.message}`);
    });
  if (answer.status === 404) throw notFound(thing);
  if (answer.status === 401 || answer.status === 403)
    throw apiError('UNPROCESSABLE', `${hostname} did not accept the credentials of this connection`);
  if (answer.status >= 300) throw apiError('UNPROCESSABLE', `${hostname} answered ${answer.status}`);
  return answer;
}

/** As `askHost`, for an answer in JSON of a form. */
export async function readFromHost<T>(
  deps: HasOutbound,
  access: HostAccess,
  asking: Asking & { form: z.ZodType<T> },
): Promise<{ value: T; hasNext: boolean }> {
  const { body, headers } = await askHost(deps, access, asking);
  const { success, data } = asking.form.safeParse(parsed(body));
  if (!success)
    throw apiError('UNPROCESSABLE', `${new URL(access.api).hostname} answered in another form than expected`);
  return { value: data, hasNext: /rel="?next"?/.test(headers.link ?? '') };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
