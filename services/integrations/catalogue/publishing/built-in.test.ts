import { system } from '../../../../shared/contract/caller.js';
import { write } from '../../../../shared/store/port.js';
import { programOf } from '../find.js';
import { integrations } from '../model.js';
import { bodyOf, openCatalogue } from '../testing/integrations-store.js';
import { type BuiltIn, seedBuiltIn } from './built-in.js';
import { publishVersion } from './publish-version.js';

let deps: Awaited<ReturnType<typeof openCatalogue>>;
beforeEach(async () => {
  deps = await openCatalogue();
});
afterEach(() => deps.close());

const hook: BuiltIn = { name: 'hook', version: 1, title: 'Hook', description: 'Sends events.', summary: 'All.' };
const stored = () => deps.store.get(integrations, 'hook');

describe('an integration that comes with Bindery', () => {
  it('is there once, whichever processes start at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => seedBuiltIn(deps, [hook])));
    const first = await stored();
    expect(first).toMatchObject({
      format: 'built-in',
      version: 1,
      visibility: 'public',
      verified: true,
      summary: 'All.',
    });
    expect(first).not.toHaveProperty('organization');
    expect(first && programOf(deps, first)).toBeUndefined();
    await seedBuiltIn(deps, [{ ...hook, title: 'The same version' }]);
    expect(await stored()).toEqual(first);
  });

  it('becomes the version of the latest release, and never goes back', async () => {
    await seedBuiltIn(deps, [hook]);
    const { summary: _, ...declared } = hook;
    const next = { ...declared, version: 2, title: 'Hooks' };
    await Promise.all([seedBuiltIn(deps, [hook]), seedBuiltIn(deps, [next]), seedBuiltIn(deps, [hook])]);
    expect(await stored()).toMatchObject({ version: 2, title: 'Hooks', publication: 'built-in-hook' });
    expect(await stored()).not.toHaveProperty('summary');
  });

  it('leaves a name to the organization that had it first, and its own to nobody', async () => {
    const publish = () =>
      publishVersion(
        deps,
        { name: 'hook', organization: 'acme', body: bodyOf(), images: { previewImages: [] } },
        { audit: () => write.all([]), caller: system },
      );
    const theirs = await publish();
    await seedBuiltIn(deps, [hook]);
    expect(await stored()).toEqual(theirs);
    await deps.store.delete(integrations, { _id: 'hook' });
    await seedBuiltIn(deps, [hook]);
    await expect(publish()).rejects.toMatchObject({ type: 'FORBIDDEN' });
  });
});
