import { authorize, resolveAccess } from '../../../shared/contract/access.js';
import type { Context } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import { spaceKind } from '../../content/resources.js';
import { organizationKind } from '../../identity/resources.js';
import { shownContentKind, siteKind } from '../../sites/resources.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import type { PlaceKind } from './model.js';

/** Access rules for installing in an organization, or on a place. */
export const installingRules = {
  organization: { caller: ['user'], on: organizationKind, id: 'target', need: 'installIntegration' },
  space: { caller: ['user'], on: spaceKind, id: 'target', need: 'installIntegration', within: 'organization' },
  site: { caller: ['user'], on: siteKind, id: 'target', need: 'admin', within: 'organization' },
  shownContent: { caller: ['user'], on: shownContentKind, id: 'target', need: 'publish', within: 'organization' },
} as const;

interface Installing {
  kind: keyof typeof installingRules;
  target: string;
  organization: string;
}

/** Throws 404 for a place that the caller does not see in this organization, 403 where it may not install. Answers the caller's role. */
export async function checkMayInstall(
  { call, caller }: Pick<Context, 'call' | 'caller'>,
  { kind, target, organization }: Installing,
): Promise<string | null> {
  const { role } = await authorize(installingRules[kind], { target, organization }, caller, (resource, question) =>
    call(resolveAccess(resource), question),
  );
  return role;
}

/** Scopes with which an integration on a site decides what its visitors see, or runs where they see it. */
const openingScopes = ['site:visitor:auth', 'site:adaptive:write', 'site:script:inject'] as const;

/** The rule for an integration with these scopes on a space or site: one that opens a site is for those who may publish what the site shows. */
export const placeRule = (
  kind: PlaceKind,
  { scopes }: Pick<IntegrationDocument, 'scopes'>,
): PlaceKind | 'shownContent' =>
  kind === 'site' && openingScopes.some((scope) => scopes.includes(scope)) ? 'shownContent' : kind;

export const fitsPlaceKind = ({ target }: Pick<IntegrationDocument, 'target'>, kind: PlaceKind): boolean =>
  target === 'all' || target === kind;

/** Throws a 400 that names `field` where an integration is not made for spaces, or for sites. */
export function checkFits(integration: Pick<IntegrationDocument, 'target'>, kind: PlaceKind, field: string): void {
  if (!fitsPlaceKind(integration, kind)) throw invalid(`${field}: this integration cannot be installed on ${kind}s`);
}
