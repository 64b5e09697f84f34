interface Sources {
  /** Of the repository, as it is fetched. */
  url: string;
  ref: string;
  repoTreeURL?: string | undefined;
  gitInfo?: { url: string } | undefined;
}

/** What stands between a repository's address and a branch, on hosts that are known. */
const trees: Record<string, string> = {
  'github.com': '/tree/',
  'gitlab.com': '/-/tree/',
  'bitbucket.org': '/src/',
  'codeberg.org': '/src/branch/',
};

/**
 * The address under which the files of an import are shown: what the caller named, else what the host is known for. An
 * address that is fetched with credentials may be nobody's business: it is not shown.
 */
export function treeURLOf({ url, ref, repoTreeURL, gitInfo }: Sources): string | undefined {
  if (repoTreeURL !== undefined) return repoTreeURL;
  if (gitInfo) return knownTree(new URL(gitInfo.url), ref) ?? gitInfo.url;
  const fetched = new URL(url);
  return fetched.username === '' && fetched.password === '' ? knownTree(fetched, ref) : undefined;
}

function knownTree({ hostname, pathname }: URL, ref: string): string | undefined {
  const tree = trees[hostname];
  const repository = pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  const names = repository.split('/').slice(1);
  // Groups of GitLab nest; what is in a repository follows a dash.
  const isRepository = names.length === 2 || (hostname === 'gitlab.com' && names.length > 2 && !names.includes('-'));
  if (tree === undefined || !isRepository) return undefined;
  const branch = ref
    .replace(/^refs\/heads\//, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return `https://${hostname}${repository}${tree}${branch}`;
}
