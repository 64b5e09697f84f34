import { basename } from 'node:path';
import fc from 'fast-check';
import { runs } from '../../shared/testing/runs.js';
import { document, inserted, updated } from '../support/content-changes.js';
import { exportSetting } from '../support/exports.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import type { CommittedFiles } from '../support/repository.js';

const setting = exportSetting();
const { client } = setting;

/** `page` and `place` are taken modulo what there is. */
const step = fc.record({
  side: fc.constantFrom('git', 'bindery'),
  does: fc.constantFrom('write', 'write', 'write', 'add', 'move'),
  page: fc.nat(100),
  place: fc.nat(100),
  sync: fc.integer({ min: 0, max: 3 }).map((at) => at === 0),
});

interface Conflict {
  changeRequest: string;
  conflicts: { id: string; title: string }[];
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
const textOf = (lines: string[]) => `${lines.join('\n\n')}\n`;
const insertAt = (text: string, place: number, word: string) => {
  const [heading = '', ...lines] = linesOf(text);
  lines.splice(place % (lines.length + 1), 0, word);
  return textOf([heading, ...lines]);
};

it('two people write at random, one in Git and one in Bindery: no word is lost, and both sides are equal at the end', async () => {
  const first = Number(process.env.SYNC_SEED ?? Date.now() % 1e9);
  for (let seed = first; seed < first + runs(1); seed++)
    await writeAtRandom(seed).catch((error) => {
      throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
    });
});

async function writeAtRandom(seed: number): Promise<void> {
  const count = Number(process.env.SYNC_STEPS ?? 24);
  const [steps = []] = fc.sample(fc.array(step, { minLength: count, maxLength: count }), { numRuns: 1, seed });
  const made = await spaceWithRepository(setting, {
    'README.md': '# Welcome\n\nHello.\n',
    'a.md': '# A\n\nOne.\n\nTwo.\n\nThree.\n',
    'b.md': '# B\n\nOne.\n',
  });
  const connection = await connect(made);
  await connection.settled();
  const words: string[] = [];

  const isPage = (path: string) => path.endsWith('.md') && path !== 'SUMMARY.md';
  const fileAt = (path: string, at: string) => made.repository.file(path, at);
  /** With a table of contents, what it does not list is no page. */
  const withPage = async (word: string, head: string): Promise<CommittedFiles> => ({
    [`${word}.md`]: `# ${word}\n\nNew.\n`,
    ...((await made.repository.paths(head)).includes('SUMMARY.md')
      ? { 'SUMMARY.md': `${await fileAt('SUMMARY.md', head)}\n* [${word}](${word}.md)\n` }
      : {}),
  });
  const withMoved = async (from: string, to: string, head: string): Promise<CommittedFiles> => ({
    [from]: null,
    [to]: `${await fileAt(from, head)}\n`,
    ...((await made.repository.paths(head)).includes('SUMMARY.md')
      ? { 'SUMMARY.md': `${(await fileAt('SUMMARY.md', head)).replace(`(${from})`, `(${to})`)}\n` }
      : {}),
  });
  /** Commits as a person does, who begins again where others pushed meanwhile. */
  const commit = async (change: (head: string) => Promise<CommittedFiles>): Promise<void> => {
    for (;;) {
      const onto = await made.repository.head();
      try {
        return void (await setting.repositories.commit(made.name, await change(onto), { onto }));
      } catch (error) {
        if ((await made.repository.head()) === onto) throw error;
      }
    }
  };
  /** Writes to the space as a person does, who begins again where the page is another by now; no page goes below itself. */
  const change = async (plan: () => Promise<object>): Promise<void> => {
    for (let status = 409; status === 409; ) {
      const { id: revision } = await made.revision();
      const answer = await client.post(`/v1/spaces/${made.space}/content`, { changes: [await plan()], revision });
      status = answer.status;
      if (![200, 400, 409].includes(status)) throw new Error(`${status} ${JSON.stringify(answer.body)}`);
    }
  };
  const writers = {
    git: ({ does, page, place }: (typeof steps)[number], word: string) =>
      commit(async (head) => {
        if (does === 'add') return withPage(word, head);
        const files = (await made.repository.paths(head)).filter(isPage);
        const path = files[page % files.length] as string;
        if (does === 'move') return withMoved(path, `${word}/${basename(path)}`, head);
        return { [path]: insertAt(await fileAt(path, head), place, word) };
      }),
    bindery: ({ does, page, place }: (typeof steps)[number], word: string) =>
      change(async () => {
        if (does === 'add') return inserted(word);
        const pages = (await made.pages()).filter(({ type }) => type === 'document');
        const { id, title } = pages[page % pages.length] as (typeof pages)[number];
        if (does === 'move') return updated(id, { into: place % 3 === 0 ? null : pages[place % pages.length]?.id });
        return made.edited(title, insertAt(await made.source(title), place, word));
      }),
  };

  /** As people would: each page in conflict gets the words of both sides, and one that Git has no more is written anew. */
  const settle = async ({ changeRequest, conflicts }: Conflict) => {
    const request = `/v1/spaces/${made.space}/change-requests/${changeRequest}`;
    const linesAt = async (path: string, id: string): Promise<string[] | undefined> => {
      const { status, body } = await client.get(`${path}/content/page/${id}?format=source`);
      return status === 404 ? undefined : linesOf(body.source);
    };
    for (const { id, title } of conflicts) {
      const ours = (await linesAt(`/v1/spaces/${made.space}`, id)) as string[];
      const theirs = await linesAt(request, id);
      const both = theirs ? [...theirs, ...ours.filter((line) => !theirs.includes(line))] : ours;
      const change = theirs ? updated(id, document(textOf(both))) : inserted(title, document(textOf(both)));
      const { status, body } = await client.post(`${request}/content`, { changes: [change] });
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    }
    const merged = await client.post(`${request}/merge`);
    if (merged.body.result !== 'merge') throw new Error(JSON.stringify(merged.body));
  };

  for (const [at, each] of steps.entries()) {
    const word = `${each.side}${at}`;
    await writers[each.side as 'git' | 'bindery'](each, word);
    if (each.does !== 'move') words.push(word);
    if (!each.sync) continue;
    const state = await connection.sync();
    if (state.state === 'conflict') await settle(state);
  }
  for (let round = 0; round < 10; round++) {
    const state = await connection.sync();
    if (state.state === 'conflict') await settle(state);
    else if (state.state !== 'connected') throw new Error(JSON.stringify(state));
    else if (round > 0) break;
  }
  const files = await Promise.all(
    (await made.repository.paths()).filter(isPage).map((path) => made.repository.file(path)),
  );
  const pages = await Promise.all(
    (await made.pages())
      .filter(({ type }) => type === 'document')
      .map(
        async ({ id }): Promise<string> =>
          (await client.get(`/v1/spaces/${made.space}/content/page/${id}?format=source`)).body.source.trim(),
      ),
  );
  expect(pages.sort()).toEqual(files.sort());
  // In between as well, nothing that Git had was taken back: the space removes no page.
  const removed = ['log', '--author=admin', '--diff-filter=D', '--format=%h', '--name-only', 'main'];
  expect(await made.repository.git(...removed)).toBe('');
  const all = files.join('\n');
  expect(words.filter((word) => !all.includes(word))).toEqual([]);
}
