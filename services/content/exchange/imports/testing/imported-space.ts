import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openFolderBlobs } from '../../../../../shared/blobs/folder.js';
import { blobLinks } from '../../../../../shared/blobs/links.js';
import type { Caller, ContentCaller } from '../../../../../shared/contract/caller.js';
import { Jobs } from '../../../../../shared/jobs/jobs.js';
import { Outbox } from '../../../../../shared/jobs/outbox.js';
import { createLog } from '../../../../../shared/monitoring/log.js';
import { createSecrets } from '../../../../../shared/secrets/secrets.js';
import type { Store } from '../../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../../shared/store/sqlite/store.js';
import { newId } from '../../../../../shared/values/ids.js';
import { toTreeNode } from '../../../core/access/tree/content-tree.js';
import { ContentTreeCache } from '../../../core/access/tree/content-tree-cache.js';
import { pageSearch } from '../../../core/revisions/model.js';
import type { Page } from '../../../core/revisions/resources.js';
import { RevisionCache } from '../../../core/revisions/revision-cache.js';
import { newSpace } from '../../../core/spaces/new-space.js';
import { Ledger } from '../../../core/storage/ledger.js';
import { contentCollections } from '../../../dependencies.js';
import { workHere } from '../../../format/workers/testing/work-here.js';
import { EncodedContents } from '../../../reading/pages/encoded-contents.js';
import { presentPage, wholeContent } from '../../../reading/pages/pages.js';
import { VisitorReferences } from '../../../reading/pages/visitors/visitor-references.js';
import { VisitorViewCache } from '../../../reading/pages/visitors/visitor-view-cache.js';
import { indexPrimary } from '../../../reading/search/search-index.js';
import { openFolderTree } from '../../git/tree/source-tree.js';
import { commitImport } from '../commit-import.js';
import { importTree } from '../import-tree.js';

const files = {
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Beta](beta/README.md)\n  * [Below](beta/below.md)\n* [Plan](plan.md)\n* [Broken](broken.md)\n\n## Group\n\n* [In it](in-it.md)\n',
  'README.md':
    '# Home\n\nSee [beta](beta/README.md).\n\n{% if visitor.claims.plan == "pro" %}\nThe zebra is out.\n{% endif %}\n\nHello <code class="expression">visitor.claims.name</code> of <code class="expression">space.vars.product</code> <code class="expression">page.vars.edition</code>.\n',
  'beta/README.md': '---\nif: visitor.claims.beta\n---\n\n# Beta\n\nA quokka.\n',
  'beta/below.md': '# Below\n\nAnother quokka.\n',
  'plan.md': '---\nif: visitor.claims.plan == "pro" && space.vars.product == "Bindery"\n---\n\n# Plan\n\nWombats.\n',
  'broken.md': '---\nif: visitor.claims.(\n---\n\n# Broken\n\nNobody sees it.\n',
  'in-it.md': '# In it\n\nPlain.\n\n{% include ".gitbook/includes/note.md" %}\n',
  '.gitbook/vars.yaml': 'product: Bindery\n',
  '.gitbook/includes/note.md': '{% if visitor.claims.beta %}\nFor the curious.\n{% endif %}\n\nFor all.\n',
};
files['README.md'] = `---\nvars:\n  edition: second\n---\n\n${files['README.md']}`;

function openedWith(store: Store, folder: string) {
  const blobs = openFolderBlobs(join(folder, 'blobs'));
  const revisions = new RevisionCache(store);
  const trees = new ContentTreeCache(store, true);
  const links = blobLinks(createSecrets([Buffer.alloc(32).toString('base64')]));
  const baseUrl = 'http://localhost';
  const deps = {
    store,
    blobs,
    ledger: new Ledger(store, blobs, 0),
    outbox: new Outbox({
      store,
      service: 'content',
      emits: [],
      consumers: new Map(),
      log: createLog('silent'),
      deliver: async () => [],
    }),
    work: workHere,
    revisions,
    trees,
    views: new VisitorViewCache(revisions),
    references: new VisitorReferences({ store, work: workHere, revisions }),
    contents: new EncodedContents({ baseUrl, links }),
    baseUrl,
    links,
    jobs: new Jobs({ store, service: 'content', log: createLog('silent'), exclusive: true }),
  };
  return { store, folder, deps };
}

/** The query of an operation that reads content, with its defaults. */
export const query = { metadata: true, computed: true, evaluated: 'false' as const };

/** A space with conditional pages, imported three times; the hooks of the test file open and remove it. */
export function importedSpace() {
  const organization = newId();
  const space = newId();
  const revisionIds: string[] = [];
  const opened = {} as ReturnType<typeof openedWith>;

  /** Imports the files with these changes; null leaves a file out. */
  async function importFiles(changes: Record<string, string | null> = {}): Promise<void> {
    const source = await mkdtemp(join(opened.folder, 'source-'));
    for (const [path, content] of Object.entries({ ...files, ...changes })) {
      if (content === null) continue;
      await mkdir(dirname(join(source, path)), { recursive: true });
      await writeFile(join(source, path), content);
    }
    const { deps } = opened;
    const before = await deps.revisions.current(space);
    await deps.ledger.openUsage({ organization, space });
    const content = await importTree(deps, { tree: await openFolderTree(source), organization, space, before });
    const parent = before.revision._id;
    const git = { oid: 'c0ffee', message: 'A commit', createdByService: false };
    const { _id } = await commitImport(deps, {
      organization,
      space,
      parent,
      content,
      git,
      treeURL: 'https://git.example/tree',
    });
    revisionIds.push(_id);
    await indexPrimary(deps, { space });
  }

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-visitors-'));
    const store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
    await store.prepare(contentCollections, [pageSearch]);
    Object.assign(opened, openedWith(store, folder));
    const made = newSpace({ organization, creator: 'ada', id: space, title: 'Docs' });
    await opened.deps.trees.change(organization, space, async () => ({
      writes: made.writes,
      apply: (tree) => tree.set(space, toTreeNode('space', made.space)),
    }));
    await importFiles({ 'in-it.md': '# In it\n\nTaken down.\n\n{% include ".gitbook/includes/note.md" %}\n' });
    await importFiles();
    await importFiles({ 'in-it.md': '# In it\n\nNewer.\n\n{% include ".gitbook/includes/note.md" %}\n' });
  });
  afterAll(async () => {
    await opened.store.close();
    await rm(opened.folder, { recursive: true, force: true });
  });

  const visitor = (claims: Record<string, unknown> = {}, named = [space]): ContentCaller => ({
    kind: 'content',
    organization,
    site: 'site_1',
    siteSpace: 'sitesp_1',
    space,
    spaces: named,
    claims,
  });
  const user: Caller = {
    kind: 'user',
    user: 'ada',
    token: 't',
    memberships: { [organization]: { role: 'admin', teams: [], owned: [] } },
  };
  const at = (revisionId = revisionIds[2] as string) => ({ spaceId: space, revisionId });

  /** The page of a title, as a user sees it. */
  async function pageOf(title: string): Promise<Page> {
    const view = await opened.deps.revisions.current(space);
    const pages = view.pages.map((page) => presentPage(opened.deps, view, page, wholeContent));
    const find = (list: Page[]): Page | undefined => {
      for (const page of list) {
        const found = page.title === title ? page : find(page.pages ?? []);
        if (found) return found;
      }
      return undefined;
    };
    return find(pages) as Page;
  }

  return { organization, space, revisionIds, opened, visitor, user, at, pageOf, importFiles };
}
