interface Sources {
  /** The URL that the repository is fetched from. */
  url: string;
  ref: string;
  repoTreeURL?: string | undefined;
  gitInfo?: { url: string } | undefined;
}

/** The path between a repository's address and a branch, on known hosts. */
const trees: Record<string, string> = {
  'github.com': '/tree/',
  'gitlab.com': '/-/tree/',
  'bitbucket.org': '/src/',
  'codeberg.org': '/src/branch/',
};

/**
 * The web address of the files of an import: the one that the caller named, else the one of a known host. Undefined for a
 * repository that is fetched with credentials, because its address may be private.
 */
export function treeURLOf({ url, ref, repoTreeURL, gitInfo }: Sources): string | undefined {
  if (repoTreeURL !== undefined) return repoTreeURL;
  if (gitInfo) return treeURLOfHost(new URL(gitInfo.url), ref) ?? gitInfo.url;
  const fetched = new URL(url);
  return fetched.username === '' && fetched.password === '' ? treeURLOfHost(fetched, ref) : undefined;
}

function treeURLOfHost({ hostname, pathname }: URL, ref: string): string | undefined {
  const tree = trees[hostname];
  const repository = pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  const names = repository.split('/').slice(1);
  // GitLab groups can be nested; paths inside a repository follow a dash.
  const isRepository = names.length === 2 || (hostname === 'gitlab.com' && names.length > 2 && !names.includes('-'));
  if (tree === undefined || !isRepository) return undefined;
  const branch = ref
    .replace(/^refs\/heads\//, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return `https://${hostname}${repository}${tree}${branch}`;
}
