import { type AccessRule, by } from '../../../shared/contract/access.js';
import type { CallerKind } from '../../../shared/contract/caller.js';
import { spaceKind } from '../../content/resources.js';
import { siteKind } from '../../sites/resources.js';
import { installationKind, integrationKind } from '../resources.js';

type Right<K extends { rights: object }> = keyof K['rights'] & string;

/** For operations on an integration, by default for people and its own script. */
export const onIntegration = (
  need: Right<typeof integrationKind>,
  caller: readonly CallerKind[] = ['user', 'integration'],
): AccessRule => ({ caller, on: integrationKind, id: 'integrationName', need });

/** For operations on an installation, by default for people, the integration and the installation itself. */
export const onInstallation = (
  need: Right<typeof installationKind>,
  caller: readonly CallerKind[] = ['user', 'integration', 'installation'],
): AccessRule => ({ caller, on: installationKind, id: 'installationId', need });

/** For operations on what integrations add to a space. */
export const onSpace = (caller: readonly CallerKind[]): AccessRule => ({
  ...by(caller, 'space:metadata:read'),
  on: spaceKind,
  id: 'spaceId',
  need: 'view',
});

/** For operations on what integrations add to a site. */
export const onSite = (caller: readonly CallerKind[]): AccessRule => ({
  ...by(caller, 'site:metadata:read'),
  on: siteKind,
  id: 'siteId',
  within: 'organizationId',
  need: 'view',
});

export const everybody: readonly CallerKind[] = ['user', 'content', 'integration', 'installation'];

export const integration = '/integrations/{integrationName}';
export const installation = `${integration}/installations/{installationId}` as const;
