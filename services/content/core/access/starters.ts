import { type AccessRule, type AskAccess, authorize } from '../../../../shared/contract/access.js';
import { anonymous, type Caller, type Membership } from '../../../../shared/contract/caller.js';
import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import { failureOf, forbidden, markLasting } from '../../../../shared/errors/errors.js';
import { callerOfIntegration, findPrincipals } from '../../../identity/contract.js';
import type { HasTrees } from './tree/content-tree-cache.js';

/** The user or integration that started work which goes on after its request. Jobs of earlier releases do not name the user. */
export interface Starter {
  user?: string | undefined;
  /** The installation of an integration that did it in place of the user. */
  installation?: string | undefined;
  /** The tunnel to the developer of the integration who did it in place of its script. */
  tunnel?: string | undefined;
}

interface StartedWork {
  starter: Starter;
  organization: string;
  space: string;
  /** The rule of the operation that started it. */
  rule: AccessRule;
}

type Dependencies = HasCallAsSystem & HasTrees;

const refusals = new Set<string>(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND']);

/**
 * Throws 403, for good, where who started the work could not start it now: rights that were taken away meanwhile end what waits or
 * runs by them. Whether the space is deleted is left to the work.
 */
export async function checkStarter(deps: Dependencies, work: StartedWork): Promise<void> {
  const { rule, space } = work;
  if (rule === 'public') return;
  const askAccess: AskAccess = (_, question) => deps.trees.resolve(question, 'space');
  try {
    await authorize({ ...rule, deleted: true }, { spaceId: space }, await resolveStarter(deps, work), askAccess);
  } catch (error) {
    if (!refusals.has(failureOf(error).type)) throw error;
    throw markLasting(
      forbidden(
        'Who started this has lost the right to do so since; somebody who has it may start it again',
        'missing_right',
      ),
    );
  }
}

/** The starter of the work as a caller with the rights it has now; anonymous if its installation is gone. */
async function resolveStarter({ callAsSystem }: Dependencies, { starter, organization }: StartedWork): Promise<Caller> {
  const { user, installation, tunnel } = starter;
  if (installation !== undefined) {
    const subject = { installation, ...(tunnel === undefined ? {} : { tunnel }) };
    return (await callAsSystem()(callerOfIntegration, { subject })) ?? anonymous;
  }
  if (user === undefined) return { kind: 'system' };
  const { members } = await callAsSystem()(findPrincipals, { organization, users: [user], teams: [] });
  const memberships = members
    .filter(({ disabled }) => !disabled)
    .map(({ role, teams }): [string, Membership] => [organization, { role, teams, owned: [] }]);
  return { kind: 'user', user, token: '', memberships: Object.fromEntries(memberships) };
}
