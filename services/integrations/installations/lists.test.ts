import type { Cursor, Filter } from '../../../shared/store/port.js';
import {
  type ContentInstallationDocument,
  contentInstallations,
  type InstallationDocument,
  installations,
} from './model.js';
import { openInstallations } from './testing/installations-store.js';

let opened: Awaited<ReturnType<typeof openInstallations>>;
beforeAll(async () => {
  opened = await openInstallations();
});
afterAll(() => opened.close());

const places: (Cursor | undefined)[] = [undefined, ['2026-01-01T00:00:00.000Z', '01M8']];
const sort = { createdAt: -1 } as const;

/** Lines of a plan that read more than a part of an index, but for looking at the status of what they found. */
const touched = (plan: string) => plan.split('\n').filter((line) => /SCAN (?!e VIRTUAL)|TEMP/.test(line));

describe.each<[string, Filter<InstallationDocument>]>([
  ['integration', { publication: 'p' }],
  ['external id', { publication: 'p', externalIds: 'x' }],
  ['organization', { organization: 'o' }],
  ['organization that are active', { organization: 'o', status: 'active' }],
])('installations of one %s', (_, filter) => {
  it('are read in the order of an index', async () => {
    for (const after of places)
      expect(touched(await opened.deps.store.explain(installations, { filter, sort, limit: 50, after }))).toEqual([]);
  });
});

describe.each<[string, Filter<ContentInstallationDocument>]>([
  ['installation', { installation: 'i', kind: 'space' }],
  ['installation that are active', { installation: 'i', kind: 'space', status: 'active' }],
  ['integration', { publication: 'p', kind: 'site' }],
  ['external id', { publication: 'p', kind: 'site', externalIds: 'x' }],
])('installations on spaces and sites of one %s', (_, filter) => {
  it('are read in the order of an index', async () => {
    for (const after of places)
      expect(
        touched(await opened.deps.store.explain(contentInstallations, { filter, sort, limit: 50, after })),
      ).toEqual([]);
  });
});

it('what is installed on a space, and with an installation, is found in an index', async () => {
  for (const filter of [{ kind: 'space', target: 's' } as const, { installation: 'i' }])
    expect(await opened.deps.store.explain(contentInstallations, { filter, sort: {}, limit: 50 })).toMatch(
      /SEARCH d USING INDEX/,
    );
});
