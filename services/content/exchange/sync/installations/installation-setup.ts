import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '../../../../../shared/contract/operation.js';
import { invalid } from '../../../../../shared/errors/errors.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { joinPath } from '../../../format/space/paths.js';
import type { installationOperations } from '../../contract/git-installations.js';
import { makeDeployKey } from '../../git/address/deploy-key.js';
import type { HasProxy } from '../../git/address/proxy.js';
import { isValidRef } from '../../git/address/ref.js';
import { isSshUrl, parseRemote, withoutScpForm } from '../../git/address/remote.js';
import { sshKeyText } from '../../git/address/ssh.js';
import { GitFailure } from '../../git/command/failure.js';
import { type AskedConnection, type AsksHosts, defaultHostOf, hostAccessesOf, hostUrlOf } from '../hosts/ask-host.js';
import type { HasGitHubApp } from '../hosts/github-app.js';
import { findRepositoryUrl } from '../hosts/host-lists.js';
import type { GitCredentials, GitInstallationDocument } from '../model.js';

type SetupBefore = Pick<GitInstallationDocument, 'organization' | 'provider' | 'url' | 'instanceUrl' | 'credentials'>;
type Setup = BodyOf<typeof installationOperations.updateGitSyncInstallationById>;

export const newWebhookSecret = (): string => randomBytes(24).toString('base64url');

export const readCredentials = (
  { secrets }: HasSecrets,
  { credentials }: Pick<GitInstallationDocument, 'credentials'>,
): GitCredentials => (credentials === undefined ? {} : (JSON.parse(secrets.decrypt(credentials)) as GitCredentials));

/** The fields of a connection that a request sets. Throws 400 for an address, a branch or a folder that cannot be. */
export async function planSetup(
  deps: HasProxy & AsksHosts,
  before: SetupBefore,
  { provider, providerConfiguration = {}, projectDirectory, ...setup }: Setup,
): Promise<Partial<GitInstallationDocument>> {
  const { repositoryUrl, repositoryId, projectId, customInstanceURL, branch, ...access } = providerConfiguration;
  const instance = customInstanceURL === undefined ? {} : { instanceUrl: checkedInstance(customInstanceURL) };
  if (branch !== undefined && !isValidRef(branch))
    throw invalid('providerConfiguration.branch: must be refs/heads/<branch> with a valid branch name');
  const stored = readCredentials(deps, before);
  const kept = isOfKnownHost(deps, before, [repositoryUrl, customInstanceURL]) ? stored : withoutToken(stored);
  const credentials = await planCredentials(kept, access);
  const asked = { ...before, ...instance, ...(provider === undefined ? {} : { provider }), credentials };
  const url = await planRepository(deps, asked, { repositoryUrl, repositoryId, projectId });
  if (isSshUrl(url.url ?? before.url ?? '') && credentials.privateKey === undefined)
    throw invalid('providerConfiguration.deployKey: an ssh:// repository needs one; set it to "generate"');
  const { commitMessageTemplate, previewExternalBranches, direction, priority } = setup;
  return {
    ...instance,
    ...url,
    ...(provider === undefined ? {} : { provider }),
    ...(branch === undefined ? {} : { ref: branch }),
    ...(projectDirectory === undefined ? {} : { directory: checkedDirectory(projectDirectory) }),
    ...(commitMessageTemplate === undefined ? {} : { commitMessage: commitMessageTemplate }),
    ...(previewExternalBranches === undefined ? {} : { previews: previewExternalBranches }),
    ...(direction === undefined ? {} : { direction }),
    ...(priority === undefined ? {} : { priority }),
    ...(isDeepStrictEqual(stored, credentials)
      ? {}
      : { credentials: deps.secrets.encrypt(JSON.stringify(credentials)) }),
  };
}

/** A token stays with the host that it was given for: others who may sync the space could have it sent to one of theirs. */
function isOfKnownHost(
  deps: HasGitHubApp,
  { provider, url, instanceUrl }: SetupBefore,
  given: (string | null | undefined)[],
): boolean {
  const known = [url, instanceUrl].flatMap(webOriginOf);
  const hosts = known.length > 0 ? known : [defaultHostOf(deps, provider) ?? []].flat();
  return hosts.length === 0 || given.flatMap(webOriginOf).every((origin) => hosts.includes(origin));
}

const webOriginOf = (url: string | null | undefined): string[] =>
  url && /^https?:/.test(url) && URL.canParse(url) ? [new URL(url).origin] : [];

const withoutToken = ({ accessToken: _, username: __, ...kept }: GitCredentials): GitCredentials => kept;

interface Choice {
  repositoryUrl?: string | undefined;
  repositoryId?: number | undefined;
  projectId?: number | undefined;
}

/** The repository that a request chooses: by its address, or by the number that its host gave it. */
async function planRepository(
  deps: HasProxy & AsksHosts,
  asked: AskedConnection,
  { repositoryUrl, repositoryId, projectId }: Choice,
): Promise<Pick<GitInstallationDocument, 'url' | 'repositoryId'>> {
  const { provider } = asked;
  const field = provider === 'gitlab' ? 'projectId' : 'repositoryId';
  const id = provider === 'gitlab' ? projectId : repositoryId;
  if ((repositoryId ?? projectId) === undefined)
    return repositoryUrl === undefined ? {} : { url: checkedUrl(deps, repositoryUrl), repositoryId: null };
  if (id === undefined) throw invalid(`providerConfiguration.${field}: required to choose a repository of ${provider}`);
  if (repositoryUrl !== undefined || (repositoryId !== undefined && projectId !== undefined))
    throw invalid(`providerConfiguration.${field}: must be alone; it says which repository`);
  const found = await findRepositoryUrl(deps, await hostAccessesOf(deps, asked), { provider, id });
  // Credentials are for the host that was asked.
  if (found === undefined || !URL.canParse(found) || new URL(found).origin !== new URL(hostUrlOf(deps, asked)).origin)
    throw invalid(`providerConfiguration.${field}: must be a repository that the connection reaches`);
  return { url: checkedUrl(deps, found), repositoryId: id };
}

function checkedInstance(given: string | null): string {
  if (given === null) return '';
  const { origin, pathname, search, username } = new URL(given);
  if (pathname !== '/' || search !== '' || username !== '')
    throw invalid('providerConfiguration.customInstanceURL: must be https://<host>, without a path or credentials');
  return origin;
}

function checkedUrl({ proxy }: HasProxy, given: string): string {
  const url = withoutScpForm(given);
  try {
    if (isSshUrl(url)) return parseRemote(withAnyKey(url), proxy.allowCidrs).href;
    const { href, username, password } = parseRemote(url, proxy.allowCidrs);
    if (`${username}${password}` !== '')
      throw invalid('providerConfiguration.repositoryUrl: put credentials in username and accessToken');
    return href;
  } catch (error) {
    if (error instanceof GitFailure) throw invalid(`providerConfiguration.repositoryUrl: ${error.message}`);
    throw error;
  }
}

/** The key is kept apart from the address. */
function withAnyKey(url: string): string {
  if (!URL.canParse(url)) return url;
  const keyed = new URL(url);
  if (keyed.password !== '') throw invalid('providerConfiguration.repositoryUrl: must hold no password');
  keyed.password = sshKeyText({ privateKey: '' });
  return keyed.href;
}

function checkedDirectory(directory: string): string {
  const path = joinPath('', directory);
  if (path === undefined || directory.split('/').includes('..'))
    throw invalid('projectDirectory: must stay inside the repository');
  return path;
}

type AccessSetup = Pick<NonNullable<Setup['providerConfiguration']>, 'username' | 'accessToken' | 'deployKey'>;

async function planCredentials(
  before: GitCredentials,
  { username, accessToken, deployKey }: AccessSetup,
): Promise<GitCredentials> {
  if (/[\n\r\0]/.test(`${username ?? ''}${accessToken ?? ''}`))
    throw invalid('providerConfiguration: username and accessToken may hold no control characters');
  const { privateKey, publicKey, ...kept } = before;
  const keys = deployKey === undefined ? { privateKey, publicKey } : deployKey === null ? {} : await makeDeployKey();
  const all = {
    ...kept,
    ...(username === undefined ? {} : { username }),
    ...(accessToken === undefined ? {} : { accessToken }),
    ...keys,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
}
