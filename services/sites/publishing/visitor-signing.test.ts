import { newTimelessId, timestamp } from '../../../shared/values/ids.js';
import { sites } from '../site/model.js';
import { type NotedDependencies, openNotedDependencies } from '../sites/testing/noted-dependencies.js';
import { publishing } from './model.js';
import { publishingOf } from './publishing-auth.js';
import { visitorSigningOf } from './visitor-signing.js';

let noted: NotedDependencies;
const site = `site_${newTimelessId()}`;
beforeAll(async () => {
  noted = await openNotedDependencies({});
  const stored = { _id: site, organization: 'acme', basename: 'docs', createdAt: timestamp() };
  await noted.deps.store.insert(sites, stored as never);
});
afterAll(() => noted.close());

const asked = { organization: 'acme', site };
const system = { kind: 'system' } as const;

it('the private key of a site is told to the system alone, with the integration that signs', async () => {
  const { deps } = noted;
  const { sealed } = await publishingOf(deps, site);
  const key = deps.secrets.decrypt(sealed);
  expect(await visitorSigningOf(deps, asked, system)).toEqual({ key });
  await deps.store.update(publishing, { _id: site }, { $set: { integration: 'okta' } });
  expect(await visitorSigningOf(deps, asked, system)).toEqual({ key });
  await deps.store.update(publishing, { _id: site }, { $set: { backend: 'integration' } });
  expect(await visitorSigningOf(deps, asked, system)).toEqual({ key, integration: 'okta' });
  for (const other of [
    { ...asked, organization: 'other' },
    { ...asked, site: 'site_none' },
  ])
    expect(await visitorSigningOf(deps, other, system)).toBeNull();
  for (const caller of [{ kind: 'anonymous' }, { kind: 'integration', integration: 'okta', owner: 'acme' }] as const)
    await expect(visitorSigningOf(deps, asked, caller)).rejects.toMatchObject({ type: 'FORBIDDEN' });
});
