import type { EventPlace } from '../../deliveries/queue/model.js';
import { sealFormerState } from '../configurations/sealed-before.js';
import { presentInstallation } from '../present.js';
import { newIntegration, openInstallations, stored, storedOn } from '../testing/installations-store.js';
import { makeEnvironment } from './environment.js';

const signing = { integration: 'hello', key: 'the private key of the site' };
let opened: Awaited<ReturnType<typeof openInstallations>>;
let asked: unknown[];
beforeEach(async () => {
  asked = [];
  opened = await openInstallations({
    'identity.presentOrganizations': ({ ids }: { ids: string[] }) => ids.map(() => null),
    'sites.visitorSigningKey': (question: unknown) => {
      asked.push(question);
      return signing;
    },
  });
});
afterEach(() => opened.close());

const secret = expect.stringMatching(/^[0-9a-f]{64}$/);

describe('the environment of an event', () => {
  it('outside of installations speaks for the integration', async () => {
    const { deps } = opened;
    const integration = newIntegration(deps);
    const { integration: shown, ...environment } = await makeEnvironment(deps, { integration });
    expect(shown).toMatchObject({ object: 'integration', name: 'hello', version: 1, permissions: { admin: false } });
    const token = environment.apiTokens.integration;
    expect(environment).toEqual({
      secrets: { KEY: 'secret' },
      signingSecrets: { integration: secret },
      signingSecret: environment.signingSecrets.integration,
      apiEndpoint: 'https://docs.example',
      apiTokens: { integration: expect.any(String) },
      authToken: token,
    });
    expect((await deps.tokens.verify(token))?.subject).toEqual({ publication: integration.publication });
  });

  it('of an installation holds it, with what it is configured with there', async () => {
    const { deps } = opened;
    const integration = newIntegration(deps);
    const installation = await stored(deps, integration, { configuration: { key: 'k' } });
    const about = { installation: installation._id, kind: 'space', target: 'guide' } as const;
    await storedOn(deps, integration, { ...about, configuration: { page: 'home' } });
    const place = { space: 'guide' };
    const environment = await makeEnvironment(deps, { integration, installation, place });
    expect(environment).toMatchObject({
      installation: { id: installation._id, configuration: { key: 'k' }, target: { organization: 'acme' } },
      spaceInstallation: { installation: installation._id, space: 'guide', configuration: { page: 'home' } },
      signingSecrets: { integration: secret, installation: secret, spaceInstallation: secret },
    });
    const endpoints = 'https://docs.example/~integrations/v1/integrations/hello';
    const ofInstallation = `${endpoints}/installations/${installation._id}`;
    for (const [shown, address] of [
      [environment.integration, endpoints],
      [environment.installation, ofInstallation],
      [environment.spaceInstallation, `${ofInstallation}/spaces/guide`],
    ] as const)
      expect(shown?.urls).toMatchObject({ publicEndpoint: address, publicContentEndpoint: address });
    const { signingSecrets, apiTokens } = environment;
    expect(new Set(Object.values(signingSecrets)).size).toBe(3);
    expect(environment.signingSecret).toBe(signingSecrets.installation);
    expect(environment.authToken).toBe(apiTokens.installation);
    const subject = { installation: installation._id };
    expect((await deps.tokens.verify(apiTokens.installation ?? ''))?.subject).toEqual(subject);
    expect((await makeEnvironment(deps, { integration, installation, place })).signingSecrets).toEqual(signingSecrets);
    const elsewhere = await makeEnvironment(deps, { integration, installation, place: { space: 'other' } });
    expect(elsewhere.spaceInstallation).toBeUndefined();
    expect(elsewhere.signingSecrets.spaceInstallation).not.toBe(signingSecrets.spaceInstallation);
  });

  it('on a site whose visitors it identifies holds the private key of the site', async () => {
    const { deps } = opened;
    const signer = newIntegration(deps, { scopes: ['site:visitor:auth'] });
    const installation = await stored(deps, signer);
    const keyFor = async (integration: typeof signer, place: EventPlace) =>
      (await makeEnvironment(deps, { integration, installation, place })).signingSecrets.siteInstallation;
    expect(await keyFor(signer, { site: 'docs' })).toBe(signing.key);
    expect(asked).toEqual([{ organization: 'acme', site: 'docs' }]);
    expect(await keyFor({ ...signer, _id: 'another' }, { site: 'docs' })).toEqual(secret);
    expect(await keyFor(newIntegration(deps), { site: 'docs' })).toEqual(secret);
    expect(await keyFor(signer, { space: 'guide' })).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  it('of an installation that is gone holds what it was, and no token of it', async () => {
    const { deps } = opened;
    const integration = newIntegration(deps);
    const installation = await presentInstallation(
      deps,
      await stored(deps, integration, { configuration: { key: 'k' } }),
    );
    const before = sealFormerState(deps, { installation });
    expect(before).not.toContain(installation.id);
    const environment = await makeEnvironment(deps, { integration, before });
    expect(environment.installation).toEqual(installation);
    expect(environment.apiTokens).toEqual({ integration: environment.authToken });
    expect(environment.signingSecrets).toEqual({ integration: secret, installation: secret });
  });
});
