import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { z } from 'zod';
import type { Outbound } from '../../../../../shared/outbound/client.js';
import type { Config } from '../../../../../shared/settings/config.js';
import { KeyedCache } from '../../../../../shared/work/keyed-cache.js';
import { GitFailure } from '../../git/command/failure.js';

const minuteMs = 60_000;
/** A token is renewed while it still outlasts a sync. */
const leastLifeMs = 20 * minuteMs;
const maxTokens = 10_000;

const installationForm = z.object({ id: z.number().int() });
const tokenForm = z.object({ token: z.string().min(1), expires_at: z.iso.datetime({ offset: true }) });

interface RepositoryUse {
  organization: string;
  /** The address of the repository. */
  url: string;
}

interface Question {
  organization: string;
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

interface AppOptions {
  outbound: Outbound;
  id: string;
  key: KeyObject;
  /** Installations by organization. */
  installations: ReadonlyMap<string, readonly number[]>;
  apiUrl: string;
}

/**
 * The GitHub App of the operator. An installation reaches the repositories of whoever installed it, so that an organization uses those
 * alone that the operator gave it, and a token reaches one repository.
 */
export class GitHubApp {
  private readonly tokens = new KeyedCache<string>({ maxSize: maxTokens, sizeOf: () => 1 });

  constructor(private readonly options: AppOptions) {}

  /** The address of its GitHub. */
  get webUrl(): string {
    return webOrigin(this.options.apiUrl);
  }

  /** Whether a repository is on the host of the App, and its organization has an installation. Nobody else is shown a token. */
  serves({ organization, url }: RepositoryUse): boolean {
    return this.installationsOf(organization).length > 0 && pathOn(this.webUrl, url) !== undefined;
  }

  /** Returns a token for one repository. Throws GitFailure. */
  async tokenFor({ organization, url }: RepositoryUse): Promise<string> {
    const path = pathOn(this.webUrl, url) ?? '';
    return this.tokens.get(keyOf(organization, path), async (keepFor) => {
      const id = await this.findInstallation(organization, path);
      return this.newToken({ organization, id, repositories: [path.split('/')[1] ?? ''] }, keepFor);
    });
  }

  /** Returns tokens for all repositories that an organization reaches, one an installation. Throws GitFailure. */
  async tokensOf(organization: string): Promise<string[]> {
    const tokens = this.installationsOf(organization).map((id) =>
      this.tokens.get(keyOf(organization, String(id)), (keepFor) => this.newToken({ organization, id }, keepFor)),
    );
    return Promise.all(tokens);
  }

  /** Forgets the token for a repository, which its host did not accept. */
  forgetToken({ organization, url }: RepositoryUse): void {
    this.tokens.delete(keyOf(organization, pathOn(this.webUrl, url) ?? ''));
  }

  private installationsOf(organization: string): readonly number[] {
    return this.options.installations.get(organization) ?? [];
  }

  private async findInstallation(organization: string, path: string): Promise<number> {
    const found = await this.ask({ organization, method: 'GET', path: `/repos/${path}/installation` });
    const { id } = found === undefined ? { id: undefined } : installationForm.parse(found);
    if (id !== undefined && this.installationsOf(organization).includes(id)) return id;
    throw new GitFailure('authentication', `the GitHub App is not installed on ${path} for this organization`);
  }

  private async newToken(
    { organization, id, repositories }: { organization: string; id: number; repositories?: string[] },
    keepFor: (ms: number) => void,
  ): Promise<string> {
    const path = `/app/installations/${id}/access_tokens`;
    const made = await this.ask({ organization, method: 'POST', path, body: repositories ? { repositories } : {} });
    if (made === undefined) throw new GitFailure('authentication', 'the installation of the GitHub App is gone');
    const { token, expires_at } = tokenForm.parse(made);
    keepFor(Math.max(1, Date.parse(expires_at) - Date.now() - leastLifeMs));
    return token;
  }

  /** Asks as the App; undefined where GitHub knows nothing of it. */
  private async ask({ organization: owner, method, path, body }: Question): Promise<unknown> {
    const { outbound, apiUrl } = this.options;
    const headers = {
      authorization: `Bearer ${await this.signIn()}`,
      accept: 'application/vnd.github+json',
      'user-agent': 'Bindery',
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const request = { owner, method, headers, maxRedirects: 0, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await outbound.fetch(`${apiUrl}${path}`, request).catch((error: Error) => {
      throw new GitFailure('network', 'GitHub could not be asked for a token', error.message);
    });
    if (answer.status === 404 || answer.status === 422) return undefined;
    if (answer.status === 401)
      throw new GitFailure('authentication', 'GitHub did not accept the key of the GitHub App');
    if (answer.status >= 300)
      throw new GitFailure('network', `GitHub answered ${answer.status} when asked for a token`);
    try {
      return JSON.parse(answer.body.toString('utf8'));
    } catch {
      throw new GitFailure('network', 'GitHub did not answer with JSON when asked for a token');
    }
  }

  /** Clocks differ: GitHub takes tokens of ten minutes at most. */
  private signIn(): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(this.options.id)
      .setIssuedAt(now - 60)
      .setExpirationTime(now + 480)
      .sign(this.options.key);
  }
}

const keyOf = (organization: string, what: string) => `${organization} ${what}`;

/** The origin of the repositories of an API. */
function webOrigin(apiUrl: string): string {
  const { origin, hostname } = new URL(apiUrl);
  return hostname === 'api.github.com' ? 'https://github.com' : origin;
}

/** `owner/name` of a repository of this origin, as a part of a URL. */
function pathOn(origin: string, url: string): string | undefined {
  if (!URL.canParse(url) || new URL(url).origin !== origin) return undefined;
  return /^\/([\w.-]+\/[\w.-]+?)(\.git)?\/?$/.exec(new URL(url).pathname)?.[1];
}

/** The App of the settings, if there is one. */
export function openGitHubApp(config: Config, outbound: Outbound): GitHubApp | undefined {
  const { GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: pem, GITHUB_API_URL: apiUrl } = config;
  if (id === undefined || pem === undefined) return undefined;
  const installations = new Map<string, number[]>();
  for (const given of config.GITHUB_APP_INSTALLATIONS) {
    const [organization = '', installation] = given.split('=');
    installations.set(organization, [...(installations.get(organization) ?? []), Number(installation)]);
  }
  return new GitHubApp({ outbound, id, key: createPrivateKey(pem), installations, apiUrl });
}

export type HasGitHubApp = { githubApp: GitHubApp | undefined };
