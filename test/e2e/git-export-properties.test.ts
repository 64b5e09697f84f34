import { exportedSpace, exportSetting, syncedSpace } from '../support/exports.js';
import { newSpace } from '../support/fixtures.js';
import { randomChange, randomNumbers } from '../support/random-changes.js';
import { importInto, pagesOf } from '../support/repository.js';

const setting = exportSetting();
const { client } = setting;

const runs = Number(process.env.EXPORT_RUNS ?? 4);
const firstSeed = Number(process.env.EXPORT_SEED ?? 1);
const changesOfRun = 20;

const start = {
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n\n## Group\n\n* [Last](last.md)\n* [Out](https://example.com/)\n',
  'README.md': '# Home\n\n[install](guide/install.md)\n',
  'guide/README.md': '---\ndescription: |-\n  Two\n  lines\n---\n\n# Guide\n\n![a](../.gitbook/assets/a.png)\n',
  'guide/install.md': '# Install\n\n[home](../README.md#x)\n',
  'last.md': 'No heading.\n',
  '.gitbook/assets/a.png': 'a',
};

type Space = Awaited<ReturnType<typeof exportedSpace>>;

/** Random changes, some of which are refused: a slug that is taken, a move below itself. */
async function change({ space, pages }: Space, next: () => number, count: number): Promise<void> {
  const answer = await client.post(`/v1/spaces/${space}/content`, {
    changes: [randomChange(await pages(), next, count)],
  });
  if (answer.status >= 500) throw new Error(JSON.stringify(answer.body));
}

async function exported({ exportNow }: Space): Promise<void> {
  const { state, error } = await exportNow();
  expect([state, error]).toEqual(['success', undefined]);
}

const shown = [
  'title',
  'type',
  'path',
  'emoji',
  'icon',
  'description',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'layout',
];

/** What readers see of a space: its pages in order, with their metadata and their text. */
async function contentOf(space: string): Promise<unknown[]> {
  const content: unknown[] = [];
  for (const page of await pagesOf(client, space)) {
    const { body } = await client.get(`/v1/spaces/${space}/content/page/${page.id}?format=markdown`);
    const text = page.type === 'document' ? body.markdown : page.target?.url;
    content.push([...shown.map((field) => page[field]), String(text).replaceAll(/\/pages\/\w+/g, '/pages/id')]);
  }
  return content;
}

const seeds = Array.from({ length: runs }, (_, at) => firstSeed + at);

describe('random changes, exported now and then', () => {
  it.each(seeds)(
    'and imported into another space give the same pages, and keep ids where they came from: %d',
    async (seed) => {
      const next = randomNumbers(seed);
      const name = `random-${seed}`;
      const isNew = seed % 3 === 0;
      if (isNew) await setting.repositories.makeEmpty(name);
      const space = isNew ? await exportedSpace(setting, name) : await syncedSpace(setting, name, start);
      for (let count = 1; count <= changesOfRun; count++) {
        await change(space, next, count);
        if (count % 7 === 0) await exported(space);
      }
      await exported(space);
      const head = await space.repository.head();
      await exported(space);
      expect(await space.repository.head()).toBe(head);

      const other = await newSpace(client, setting.organization);
      expect(await importInto(client, other, { url: space.url })).toMatchObject({ state: 'success' });
      const before = await contentOf(space.space);
      expect(await contentOf(other)).toEqual(before);

      const ids = (await space.pages()).map(({ id }) => id);
      expect(await space.importNow({ force: true })).toMatchObject({ state: 'success' });
      expect(await contentOf(space.space)).toEqual(before);
      expect((await space.pages()).map(({ id }) => id)).toEqual(ids);
      await exported(space);
      expect(await space.repository.head()).toBe(head);
    },
  );
});
