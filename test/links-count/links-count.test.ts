import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { serveRepositories } from '../../services/content/exchange/git/serve.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';
import { smallTree } from './small-tree.js';
import { type CountedStatus, lettersOf, pathFrom, TreeLinks } from './tree-links.js';

const client = shared();

/** A repository to count, and the folder of the space in it. */
interface Corpus {
  url: string;
  folder: string;
  files: Map<string, string>;
}

function filesOf(repository: string): Map<string, string> {
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { maxBuffer: 1 << 30 });
  const paths = git('ls-tree', '-r', '-z', '--name-only', 'HEAD').toString().split('\0').filter(Boolean);
  return new Map(
    paths.map((path) => [path, /\.(?:md|markdown)$/i.test(path) ? git('show', `HEAD:${path}`).toString() : '']),
  );
}

/** The name that the counting gives a target, from an item of the API. */
function nameOf({ status, relation, url, targetReference, locationReferences }: any): string {
  const way = relation === 'dependsOn' ? 'in' : 'to';
  const { kind, page, file, reusableContent, internalLocation } = targetReference ?? {};
  if (status === 'in-app' || kind === 'url') return `${way} ${url}`;
  if (page) return `${way} ${page.git.path}${internalLocation ? `#${lettersOf(internalLocation.anchor)}` : ''}`;
  if (file ?? reusableContent) return `${way} ${(file ?? reusableContent).git.path}`;
  const [{ page: from, reusableContent: included }] = locationReferences;
  const [, anchor] = url.split('#');
  const source = (from ?? included).git?.path ?? 'SUMMARY.md';
  return `${way} ${url.startsWith('#') ? source : pathFrom(source, url)}${anchor ? `#${anchor}` : ''}`;
}

async function compare({ url, folder, files }: Corpus): Promise<void> {
  const space = await newSpace(client, await newOrganization(client));
  const operation = await importInto(client, space, { url, ...(folder ? { repoProjectDirectory: folder } : {}) });
  expect(operation.state).toBe('success');
  const counted = new TreeLinks({ files, folder, baseUrl: client.url });
  const told = { ok: 0, broken: 0, 'in-app': 0 };
  const items = new Map<string, string>();
  let page = '';
  do {
    const { body } = await client.get(`/v1/spaces/${space}/links?limit=500${page}`);
    for (const item of body.items) {
      told[item.status as CountedStatus] += 1;
      items.set(nameOf(item), item.status);
    }
    page = body.next ? `&page=${body.next.page}` : '';
  } while (page);
  const targets = counted.targets();
  if (process.env.LINKS_CORPUS_SHOW) {
    const show = (name: string, of: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) => {
      for (const [target, status] of of) if (other.get(target) !== status) console.log(`${name} ${status} ${target}`);
    };
    show('counted', targets, items);
    show('told', items, targets);
  }
  if (process.env.LINKS_CORPUS) console.log(JSON.stringify({ url, told }));
  expect(told).toEqual(counted.counts());
}

it('the links of a small tree are counted as the API tells them', async () => {
  const files = smallTree(client.url);
  const repositories = await openRepositories();
  await repositories.commit('small', files);
  const url = `${repositories.url}/small.git`;
  try {
    await compare({ url, folder: '', files: new Map(Object.entries(files)) });
  } finally {
    await repositories.close();
  }
});

/** Bare repositories to count by hand, each with the folder of its space after a colon. */
const corpora = (process.env.LINKS_CORPUS ?? '').split(',').filter((name) => name !== '');

(corpora.length > 0 ? it.each(corpora) : it.skip.each(['LINKS_CORPUS is not set']))(
  'the links of %s are counted as the API tells them',
  async (corpus) => {
    const [repository = '', folder = ''] = corpus.split(':');
    const server = await serveRepositories({ root: dirname(repository) });
    try {
      await compare({ url: `${server.url}/${basename(repository)}`, folder, files: filesOf(repository) });
    } finally {
      await server.close();
    }
  },
);
