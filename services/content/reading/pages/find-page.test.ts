import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import { findPage } from './find-page.js';

const { space, revisionIds, opened, pageOf } = importedSpace();

describe('an address within a space', () => {
  it.each<[string, Record<string, unknown> | undefined, string | undefined]>([
    ['', {}, 'Home'],
    ['beta', {}, undefined],
    ['beta', { beta: true }, 'Beta'],
    ['/Beta//below/', { beta: true }, 'Below'],
    ['beta/below', undefined, 'Below'],
    ['group', {}, 'In it'],
    ['nowhere', {}, undefined],
  ])('%j leads with the claims %j to %s', async (path, claims, title) => {
    const found = await findPage(opened.deps, { space, path, claims });
    const page = title && (await pageOf(title));
    expect(found?.page).toEqual(page ? { id: page.id, path: page.path } : undefined);
    expect(found?.revision).toBe(revisionIds[2]);
    expect(found?.first?.id).toBe((await pageOf('Home')).id);
  });

  it('is looked up in any revision of the space', async () => {
    expect(await findPage(opened.deps, { space, revision: revisionIds[0], path: '' })).toMatchObject({
      revision: revisionIds[0],
    });
    expect(await findPage(opened.deps, { space, revision: 'none', path: '' })).toBeNull();
    expect(await findPage(opened.deps, { space: 'none', path: '' })).toBeNull();
  });
});
