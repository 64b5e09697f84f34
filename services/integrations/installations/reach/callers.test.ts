import { integrations } from '../../catalogue/model.js';
import { installations } from '../model.js';
import { newIntegration, openInstallations, stored, storedOn } from '../testing/installations-store.js';
import { callerOfToken } from './callers.js';

let opened: Awaited<ReturnType<typeof openInstallations>>;
beforeEach(async () => {
  opened = await openInstallations();
});
afterEach(() => opened.close());

describe('the caller behind a token', () => {
  it('is the integration as long as it is published', async () => {
    const { deps } = opened;
    const integration = newIntegration(deps);
    await deps.store.insert(integrations, integration);
    const subject = { publication: integration.publication };
    expect(await callerOfToken(deps, { subject })).toEqual({
      kind: 'integration',
      integration: 'hello',
      owner: 'publisher',
    });
    await deps.store.update(integrations, { _id: 'hello' }, { $set: { publication: 'another' } });
    expect(await callerOfToken(deps, { subject })).toBeNull();
  });

  it('is an installation with the scopes of now, limited to where it is installed, configured or not', async () => {
    const { deps } = opened;
    const integration = newIntegration(deps, { scopes: ['space:content:read'] });
    const { _id: installation } = await stored(deps, integration);
    const on = (kind: 'space' | 'site', target: string, status: 'active' | 'pending' = 'active') =>
      storedOn(deps, integration, { installation, kind, target, status });
    await on('space', 'one');
    await on('space', 'two', 'pending');
    await on('site', 'docs');
    const caller = () => callerOfToken(deps, { subject: { installation } });
    const base = { kind: 'installation', installation, integration: 'hello', organization: 'acme', user: 'ada' };
    const scopes = ['space:content:read'];
    expect(await caller()).toEqual({ ...base, scopes, spaces: ['two', 'one'], sites: ['docs'] });
    await deps.store.update(installations, { _id: installation }, { $set: { status: 'pending' } });
    expect(await caller()).toEqual({ ...base, scopes, spaces: ['two', 'one'], sites: ['docs'] });
    await deps.store.update(installations, { _id: installation }, { $set: { spaceSelection: 'all' } });
    await deps.store.update(integrations, { _id: 'hello' }, { $set: { scopes: [] } });
    expect(await caller()).toEqual({ ...base, scopes: [], spaces: 'all', sites: ['docs'] });
    await deps.store.update(installations, { _id: installation }, { $set: { status: 'paused' } });
    expect(await caller()).toBeNull();
    await deps.store.update(installations, { _id: installation }, { $set: { status: 'active' } });
    await deps.store.update(integrations, { _id: 'hello' }, { $set: { publication: 'another' } });
    expect(await caller()).toBeNull();
    expect(await callerOfToken(deps, { subject: { installation: 'none' } })).toBeNull();
  });
});
