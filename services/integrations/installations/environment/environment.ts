import { createHmac } from 'node:crypto';
import type { Secrets } from '../../../../shared/secrets/secrets.js';
import { visitorSigningKey } from '../../../sites/contract.js';
import { decryptSecrets } from '../../catalogue/find.js';
import type { IntegrationDocument } from '../../catalogue/model.js';
import { presentIntegration } from '../../catalogue/present.js';
import type { Integration } from '../../catalogue/resources.js';
import type { EventPlace } from '../../deliveries/queue/model.js';
import { openFormerState } from '../configurations/sealed-before.js';
import type { InstallationDependencies } from '../find.js';
import { contentInstallationId, contentInstallations, type InstallationDocument } from '../model.js';
import { presentContentInstallations, presentInstallation } from '../present.js';
import { withGrantedScopes } from '../reach/granted-scopes.js';
import type { Installation, SiteInstallation, SpaceInstallation } from '../resources.js';

/** Environment that the script of an integration gets with each event, as clients of the public API expect it. */
export interface IntegrationEnvironment {
  integration: Integration;
  installation?: Installation;
  spaceInstallation?: SpaceInstallation;
  siteInstallation?: SiteInstallation;
  secrets: Record<string, string>;
  signingSecrets: SigningSecrets;
  /** An address without a slash at the end. */
  apiEndpoint: string;
  apiTokens: { integration: string; installation?: string };
  /** The token of the installation, else of the integration. */
  authToken: string;
  signingSecret: string;
}

export interface EnvironmentQuestion {
  integration: IntegrationDocument;
  /** Absent outside of any installation, and once it is gone. */
  installation?: InstallationDocument | undefined;
  /** Where the event happened. */
  place?: EventPlace | undefined;
  /** The removed installation as it was, which its last events keep. */
  before?: string | undefined;
  /** The tunnel to the developer who gets the environment, instead of the script. */
  tunnel?: string | undefined;
}

export type EnvironmentDependencies = Pick<
  InstallationDependencies,
  | 'store'
  | 'secrets'
  | 'baseUrl'
  | 'endpointsUrl'
  | 'apiEndpoint'
  | 'links'
  | 'tokens'
  | 'administering'
  | 'callAsSystem'
>;

/** Makes the environment of one event. It holds secrets and tokens: only the script of this integration, or who develops it, may get it. */
export async function makeEnvironment(
  deps: EnvironmentDependencies,
  { integration, installation, place, before, tunnel }: EnvironmentQuestion,
): Promise<IntegrationEnvironment> {
  const installed =
    before === undefined ? await installedNow(deps, installation, place) : openFormerState(deps, before);
  const id = installed.installation?.id;
  const [shown, signingSecrets, apiTokens] = await Promise.all([
    presentIntegration(deps, integration, { call: deps.callAsSystem(), caller: scriptOf(integration) }),
    makeSigningSecrets(deps, { integration, installation, id, place }),
    makeApiTokens(deps, { integration, installation, tunnel }),
  ]);
  return {
    integration: shown,
    ...installed,
    secrets: decryptSecrets(deps, integration),
    signingSecrets,
    apiEndpoint: deps.apiEndpoint,
    apiTokens,
    authToken: apiTokens.installation ?? apiTokens.integration,
    signingSecret: signingSecrets.installation ?? signingSecrets.integration,
  };
}

const scriptOf = ({ _id, organization = '' }: IntegrationDocument) =>
  ({ kind: 'integration', integration: _id, owner: organization }) as const;

type Installed = Pick<IntegrationEnvironment, 'installation' | 'spaceInstallation' | 'siteInstallation'>;

async function installedNow(
  deps: EnvironmentDependencies,
  installation: InstallationDocument | undefined,
  { space, site }: EventPlace = {},
): Promise<Installed> {
  if (!installation) return {};
  const ids = [
    ...(space === undefined ? [] : [contentInstallationId(installation._id, 'space', space)]),
    ...(site === undefined ? [] : [contentInstallationId(installation._id, 'site', site)]),
  ];
  const there = ids.length > 0 ? await deps.store.getMany(contentInstallations, ids) : [];
  const [shown, presented] = await Promise.all([
    presentInstallation(deps, installation),
    presentContentInstallations(deps, there),
  ]);
  const places = there.map(({ kind }, at) => [`${kind}Installation`, presented[at]]);
  return { installation: shown, ...Object.fromEntries(places) };
}

interface Signing {
  integration: IntegrationDocument;
  installation: InstallationDocument | undefined;
  /** The id of the installation, also once it is gone. */
  id: string | undefined;
  place: EventPlace | undefined;
}

/** An integration that identifies the visitors of a site signs what it knows of them with the private key of the site. */
async function makeSigningSecrets(
  deps: EnvironmentDependencies,
  { integration, installation, id, place }: Signing,
): Promise<SigningSecrets> {
  const derived = deriveSecrets(deps.secrets, { publication: integration.publication, installation: id, place });
  const site = place?.site;
  if (!installation || site === undefined) return derived;
  if (!withGrantedScopes(integration, installation).scopes.includes('site:visitor:auth')) return derived;
  const { organization } = installation;
  const known = await deps.callAsSystem()(visitorSigningKey, { organization, site });
  return known?.integration === integration._id ? { ...derived, siteInstallation: known.key } : derived;
}

async function makeApiTokens(
  { tokens }: EnvironmentDependencies,
  { integration: { publication }, installation, tunnel }: EnvironmentQuestion,
): Promise<IntegrationEnvironment['apiTokens']> {
  const through = tunnel === undefined ? {} : { tunnel };
  const integration = await tokens.sign({ publication, ...through });
  return installation
    ? { integration, installation: await tokens.sign({ installation: installation._id, ...through }) }
    : { integration };
}

/** The secrets by which a script recognises requests that it asked for; each is 64 hexadecimal digits and stays the same. */
interface SigningSecrets {
  integration: string;
  installation?: string;
  spaceInstallation?: string;
  siteInstallation?: string;
}

interface Signed {
  publication: string;
  /** The id of an installation. */
  installation?: string | undefined;
  place?: EventPlace | undefined;
}

/** Derives them from the secret key of Bindery: nothing is stored. */
function deriveSecrets(secrets: Secrets, { publication, installation, place }: Signed): SigningSecrets {
  const { key } = secrets.keyFor('integration-signing');
  const deriveSecret = (...names: string[]) => createHmac('sha256', key).update(names.join(' ')).digest('hex');
  const integration = deriveSecret('integration', publication);
  if (installation === undefined) return { integration };
  const { space, site } = place ?? {};
  return {
    integration,
    installation: deriveSecret('installation', installation),
    ...(space === undefined ? {} : { spaceInstallation: deriveSecret('space', installation, space) }),
    ...(site === undefined ? {} : { siteInstallation: deriveSecret('site', installation, site) }),
  };
}
