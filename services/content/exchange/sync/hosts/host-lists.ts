import { z } from 'zod';
import { invalid, notFound } from '../../../../../shared/errors/errors.js';
import { notOfThisList } from '../../../../../shared/lists/paging.js';
import type { HasOutbound } from '../../../../../shared/outbound/client.js';
import { askHost, type HostAccess, readFromHost } from './ask-host.js';
import type { HostBranch, HostFile, HostRepository } from './resources.js';

const perPage = 100;

export interface HostPage<T> {
  items: T[];
  next?: { page: string };
}

const text = z.string().min(1).max(2000);
const id = z.number().int().positive();

const githubRepository = z
  .object({ id, name: text, full_name: text, owner: z.object({ login: text }), default_branch: text.nullish() })
  .transform(
    ({ id, name, full_name, owner, default_branch }): HostRepository => ({
      id,
      accountName: owner.login,
      repositoryName: name,
      fullName: full_name,
      defaultBranch: default_branch ?? null,
    }),
  );
const githubRepositories = z.union([
  z.array(githubRepository),
  z.object({ repositories: z.array(githubRepository) }).transform(({ repositories }) => repositories),
]);

const gitlabProject = z
  .object({
    id,
    path: text,
    path_with_namespace: text,
    namespace: z.object({ full_path: text }),
    default_branch: text.nullish(),
  })
  .transform(
    ({ id, path, path_with_namespace, namespace, default_branch }): HostRepository => ({
      id,
      accountName: namespace.full_path,
      repositoryName: path,
      fullName: path_with_namespace,
      defaultBranch: default_branch ?? null,
    }),
  );

const branches = z
  .array(z.object({ name: text }))
  .transform((items): HostBranch[] => items.map(({ name }) => ({ name, ref: `refs/heads/${name}` })));

const githubFile = z
  .object({ type: z.literal('file'), name: text, path: text, sha: text, size: z.number().int() })
  .transform(({ type: _, ...file }): HostFile => file);

/** Pages of a host are counted; those of several tokens come one after the other. */
function placeOf(page = '0.1'): { token: number; at: number } {
  const [, token, at] = /^(\d{1,3})\.(\d{1,4})$/.exec(page) ?? [];
  if (token === undefined) throw notOfThisList();
  return { token: Number(token), at: Number(at) };
}

interface Listing<T> {
  path: string;
  thing: string;
  form: z.ZodType<T[]>;
  page: string | undefined;
}

async function readPage<T>(
  deps: HasOutbound,
  accesses: readonly HostAccess[],
  { path, thing, form, page }: Listing<T>,
): Promise<HostPage<T>> {
  const { token, at } = placeOf(page);
  const access = accesses[token];
  if (!access) throw notOfThisList();
  const query = `${path.includes('?') ? '&' : '?'}per_page=${perPage}&limit=${perPage}&page=${at}`;
  const { value: items, hasNext } = await readFromHost(deps, access, { path: `${path}${query}`, thing, form });
  if (hasNext) return { items, next: { page: `${token}.${at + 1}` } };
  return token + 1 < accesses.length ? { items, next: { page: `${token + 1}.1` } } : { items };
}

/** Lists the repositories of GitHub, or of a host that follows its forms. `ofApp`: those of the installations of an App. */
export const listGitHubRepositories = (
  deps: HasOutbound,
  accesses: readonly HostAccess[],
  { page, ofApp }: { page: string | undefined; ofApp: boolean },
): Promise<HostPage<HostRepository>> =>
  readPage(deps, accesses, {
    path: ofApp ? '/installation/repositories' : '/user/repos',
    thing: 'List of repositories',
    form: githubRepositories,
    page,
  });

export const listGitLabProjects = (
  deps: HasOutbound,
  accesses: readonly HostAccess[],
  page: string | undefined,
): Promise<HostPage<HostRepository>> =>
  readPage(deps, accesses, {
    path: '/projects?membership=true&simple=true',
    thing: 'List of projects',
    form: z.array(gitlabProject),
    page,
  });

/** Lists the branches of a repository, by its path in the API of its host. */
export const listHostBranches = (
  deps: HasOutbound,
  accesses: readonly HostAccess[],
  { repository, page }: { repository: string; page: string | undefined },
): Promise<HostPage<HostBranch>> =>
  readPage(deps, accesses, { path: `${repository}/branches`, thing: 'Repository', form: branches, page });

interface FileAsked {
  /** The path of the repository in the API of its host. */
  repository: string;
  path: string;
  ref: string;
}

export async function readGitHubFile(
  deps: HasOutbound,
  access: HostAccess,
  { repository, path, ref }: FileAsked,
): Promise<HostFile> {
  const segments = segmentsOf(path).map(encodeURIComponent).join('/');
  const form = z.union([githubFile, z.unknown().transform(() => undefined)]);
  const at = `${repository}/contents/${segments}?ref=${encodeURIComponent(branchOf(ref))}`;
  const { value } = await readFromHost(deps, access, { path: at, thing: 'File', form });
  // A folder is a list there.
  if (!value) throw notFound('File');
  return value;
}

/** GitLab tells of a file in the headers of an answer, which need not have its content. */
export async function readGitLabFile(
  deps: HasOutbound,
  access: HostAccess,
  { repository, path, ref }: FileAsked,
): Promise<HostFile> {
  const file = encodeURIComponent(segmentsOf(path).join('/'));
  const at = `${repository}/files/${file}?ref=${encodeURIComponent(branchOf(ref))}`;
  const { headers } = await askHost(deps, access, { method: 'HEAD', path: at, thing: 'File' });
  const size = Number(headers['x-gitlab-size']);
  const sha = headers['x-gitlab-blob-id'];
  if (sha === undefined || !Number.isSafeInteger(size)) throw notFound('File');
  return { name: segmentsOf(path).at(-1) ?? '', path: segmentsOf(path).join('/'), sha, size };
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length === 0 || segments.some((segment) => segment === '.' || segment === '..'))
    throw invalid('path: must be the path of a file inside the repository');
  return segments;
}

const branchOf = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, '');

const githubAddress = z.object({ clone_url: text }).transform(({ clone_url }) => clone_url);
const gitlabAddress = z.object({ http_url_to_repo: text }).transform(({ http_url_to_repo }) => http_url_to_repo);

/** Finds the address of a repository by the number that its host gave it; undefined where no token reaches it. */
export async function findRepositoryUrl(
  deps: HasOutbound,
  accesses: readonly HostAccess[],
  { provider, id }: { provider: string; id: number },
): Promise<string | undefined> {
  const isGitLab = provider === 'gitlab';
  const asking = { path: `/${isGitLab ? 'projects' : 'repositories'}/${id}`, thing: 'Repository' };
  const form = isGitLab ? gitlabAddress : githubAddress;
  for (const access of accesses) {
    const found = await readFromHost(deps, access, { ...asking, form }).catch((error: { type?: string }) => {
      if (error.type !== 'NOT_FOUND') throw error;
    });
    if (found) return found.value;
  }
  return undefined;
}
